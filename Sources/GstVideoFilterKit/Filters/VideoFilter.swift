/// An element that changes frames in place.
///
/// ```swift
/// struct Grayscale: VideoFilter {
///   static let id = "grayscale", name = "Grayscale"
///   func process(_ frame: inout VideoFrame) throws { frame.chroma.fill(128) }
/// }
/// ```
public protocol VideoFilter: VideoElement {
  /// Processes a frame, on the streaming thread.
  ///
  /// - Throws: an error, which is posted as a warning. Each text is posted at most once in ten
  ///   seconds. `onError` then selects the output. After a `FilterWarning`, the frame is sent as
  ///   the filter left it.
  mutating func process(_ frame: inout VideoFrame) throws

  /// The output when `process` throws, by default `.asIs`.
  static var onError: FailedFrame { get }

  /// The output when `process` throws, by default the type's value.
  ///
  /// Implement it if the output depends on a property. It is read on the streaming thread.
  var onError: FailedFrame { get }
}

extension VideoFilter {
  /// The frame as `process` left it.
  public static var onError: FailedFrame { .asIs }
  /// The type's value.
  public var onError: FailedFrame { Self.onError }
}

/// The output for a frame on which a filter throws.
public enum FailedFrame: Sendable {
  /// The frame as the filter left it: unchanged, if the filter throws before it writes.
  case asIs
  /// The frame as it came, which requires a copy of each frame before it is processed.
  case untouched
  /// A black frame.
  case black
  /// No frame.
  case drop
}

/// An error that a filter throws after it has processed the frame.
///
/// It is posted like other errors, but the frame is sent as the filter left it, and `onError` is
/// ignored. For example, a filter throws it when it cannot apply a new setting and keeps the
/// previous one.
public struct FilterWarning: Error, CustomStringConvertible {
  /// The error that is posted.
  public let cause: any Error

  /// Creates a warning that posts `cause`.
  public init(_ cause: any Error) { self.cause = cause }

  /// The description of the cause.
  public var description: String { "\(cause)" }
}
