/// The reason why a picture or video cannot be put behind the person.
public struct BackgroundError: Error, Equatable, CustomStringConvertible {
  /// The kind of problem, for code that handles it.
  ///
  /// `description` is for the user.
  public enum Kind: Equatable, Sendable {
    /// The file does not exist.
    case notFound
    /// The path names a directory, a pipe, a socket or a device.
    case notAFile
    /// The file or server exists, but cannot be read.
    case unreadable
    /// The file has no bytes.
    case empty
    /// GStreamer does not recognize the bytes as a picture or video.
    case notAnImage
    /// A GStreamer plugin that is not installed is needed.
    case missingPlugin
    /// The picture has a known format, but cannot be shown correctly.
    case unsupported
    /// The picture is damaged or truncated.
    case damaged
    /// The picture or the data exceed a size limit.
    case tooLarge
    /// There is not enough memory for the background.
    case outOfMemory
    /// Opening or decoding took too long.
    case timedOut
    /// The background is no longer needed.
    case cancelled
    /// The background cannot be shown for another reason.
    case failed
  }

  /// The kind of problem.
  public let kind: Kind
  /// The path or URI, without parts that may be secret.
  public let location: String
  /// The problem and the remedy, as the end of a sentence that begins with the location.
  public let reason: String

  /// Creates an error for a location as the user wrote it.
  init(_ kind: Kind, _ location: String, _ reason: String) {
    self.kind = kind
    self.location = ShownLocation(location).text
    self.reason = reason
  }

  /// A sentence for the user: the file, its problem and the remedy.
  public var description: String { "background '\(location)' \(reason)" }

  /// Returns the error for an HDR picture or video, where `kind` is `HLG` or `PQ`.
  static func highDynamicRange(_ kind: String, _ location: String) -> BackgroundError {
    BackgroundError(
      .unsupported, location,
      """
      is HDR (\(kind)), which is not supported: convert it to standard dynamic range (SDR), for \
      example with ffmpeg's filters zscale and tonemap
      """)
  }

  /// Returns the error for a HEIC or AVIF picture that no installed decoder supports.
  static func heif(_ location: String) -> BackgroundError {
    BackgroundError(
      .unsupported, location,
      """
      is a HEIC or AVIF picture that no installed decoder supports; convert it to PNG or JPEG, \
      or install heif-gdk-pixbuf and use a local file
      """)
  }

  /// Returns the error for a background that is no longer needed.
  static func cancelled(_ location: String) -> BackgroundError {
    BackgroundError(.cancelled, location, "is no longer needed")
  }

  /// Returns the error for a background that was not decoded within `timeout`.
  static func tooSlow(_ timeout: Duration, _ location: String) -> BackgroundError {
    BackgroundError(
      .timedOut, location,
      "took more than \(timeout) to decode; use a smaller or a local file")
  }

  /// Returns the error for a background that needs `byteCount` bytes, if they are not available.
  static func outOfMemory(_ byteCount: Int, _ location: String) -> BackgroundError {
    BackgroundError(
      .outOfMemory, location,
      """
      needs \(byteCount / 1_000_000 + 1) MB of memory, which could not be allocated; shrink it \
      to the size of the frames, or give the program more memory
      """)
  }
}
