/// What a filter throws to tell of something although the frame is done.
///
/// It is posted as other errors are, and the frame goes out as the filter left it, whatever `onError`
/// says: for a setting that cannot be followed while what is at work stays.
public struct FilterWarning: Error, CustomStringConvertible {
  /// What there is to tell.
  public let cause: any Error

  /// Tells of an error.
  public init(_ cause: any Error) {
    self.cause = cause
  }

  /// What the cause says of itself.
  public var description: String { "\(cause)" }
}
