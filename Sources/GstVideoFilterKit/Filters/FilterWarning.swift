/// An error that a filter throws after it has processed the frame.
///
/// It is posted as other errors are, but the frame goes out as the filter left it, whatever `onError` says.
/// A filter throws it when it cannot apply a new setting and keeps the one in use, for example.
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
