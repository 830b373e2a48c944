/// An element that changes frames where they lie.
///
/// ```swift
/// struct Grayscale: VideoFilter {
///   static let id = "grayscale", name = "Grayscale"
///   func process(_ frame: inout VideoFrame) throws { frame.chroma.fill(128) }
/// }
/// ```
public protocol VideoFilter: VideoElement {
  /// Works on a frame, on the streaming thread.
  ///
  /// An error is posted as a warning, each text at most once in ten seconds, and the frame goes out as
  /// `onError` says; after a `FilterWarning` as the filter left it.
  mutating func process(_ frame: inout VideoFrame) throws

  /// What goes out when `process` throws; `.asIs` unless given.
  static var onError: FailedFrame { get }

  /// The same for a filter that leaves it to a property; what the type says unless given.
  var onError: FailedFrame { get }
}

extension VideoFilter {
  /// The frame as `process` left it.
  public static var onError: FailedFrame { .asIs }
  /// What the type says.
  public var onError: FailedFrame { Self.onError }
}

/// What becomes of a frame when a filter throws.
public enum FailedFrame: Sendable {
  /// It goes out as the filter left it: as it came, if the filter throws before it writes.
  case asIs
  /// It goes out as it came; each frame is copied for that before it is worked on.
  case untouched
  /// It goes out black.
  case black
  /// It does not go out.
  case drop
}
