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
  /// - Throws: an error, which is posted as a warning, each text at most once in ten seconds. Then
  ///   `onError` chooses the output. After a `FilterWarning` the frame goes out as the filter left
  ///   it.
  mutating func process(_ frame: inout VideoFrame) throws

  /// The output when `process` throws, by default `.asIs`.
  static var onError: FailedFrame { get }

  /// The same for a filter that makes it depend on a property, by default the type's value.
  ///
  /// Read on the streaming thread.
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
/// It is posted as other errors are, but the frame goes out as the filter left it, and `onError` is
/// ignored. A filter throws it when it cannot apply a new setting and keeps the one in use, for
/// example.
public struct FilterWarning: Error, CustomStringConvertible {
  /// The error that is posted.
  public let cause: any Error

  /// Wraps the error that is posted.
  public init(_ cause: any Error) {
    self.cause = cause
  }

  /// The description of the cause.
  public var description: String { "\(cause)" }
}
