/// The reason why a picture or video cannot be put behind the person.
public struct BackgroundError: Error, Equatable, CustomStringConvertible {
  /// The kind of problem, for code that handles it.
  ///
  /// `description` is for the user.
  public enum Kind: Equatable, Sendable {
    /// The file does not exist.
    case notFound
    /// A directory, a pipe, a socket or a device.
    case notAFile
    /// The file is there but cannot be read.
    case unreadable
    /// The file has no bytes.
    case empty
    /// GStreamer does not recognize the bytes as a picture.
    case notAnImage
    /// A picture that an installable plugin would decode.
    case missingPlugin
    /// A picture of a known kind that cannot be shown correctly.
    case unsupported
    /// A picture that is damaged or cut short.
    case damaged
    /// More pixels than are reasonable for a background.
    case tooLarge
    /// There is not enough memory for it.
    case outOfMemory
    /// Decoding took too long.
    case timedOut
    /// The background is not needed any more.
    case cancelled
    /// GStreamer itself failed.
    case failed
  }

  /// The kind of problem.
  public let kind: Kind
  /// The path or URI, without parts that may be secret.
  public let location: String
  /// The problem and the remedy, as the end of a sentence that begins with the location.
  public let reason: String

  /// Makes an error.
  ///
  /// `location` is the path or URI as the user gave it.
  public init(kind: Kind, location: String, reason: String) {
    self.kind = kind
    self.location = ShownLocation(location).text
    self.reason = reason
  }

  /// A sentence for the user: the file, its problem and the remedy.
  public var description: String { "background '\(location)' \(reason)" }

  /// Returns the error for an HDR picture or video, where `kind` is `HLG` or `PQ`.
  static func highDynamicRange(_ kind: String, _ location: String) -> BackgroundError {
    BackgroundError(
      kind: .unsupported, location: location,
      reason: """
        is HDR (\(kind)) and would look dull and dark: convert it to standard range, for example \
        with ffmpeg's filters zscale and tonemap
        """)
  }

  /// Returns the error for a HEIC or AVIF picture that no installed decoder supports.
  static func heif(_ location: String) -> BackgroundError {
    BackgroundError(
      kind: .unsupported, location: location,
      reason: """
        is a HEIC or AVIF picture that no installed decoder supports; convert it to PNG or JPEG, or \
        install heif-gdk-pixbuf and use a local file
        """)
  }

  /// Returns the error for `byteCount` bytes of a background that could not be allocated.
  static func outOfMemory(_ byteCount: Int, _ location: String) -> BackgroundError {
    BackgroundError(
      kind: .outOfMemory, location: location,
      reason: """
        needs \(byteCount / 1_000_000 + 1) MB of memory, which could not be allocated; shrink it to the size \
        of the frames, or give the program more memory
        """)
  }
}
