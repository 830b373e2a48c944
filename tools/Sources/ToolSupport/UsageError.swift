/// An invalid argument on the command line of a tool.
public struct UsageError: Error, Equatable {
  /// The problem, for the user.
  public let sentence: String

  /// Creates an error.
  ///
  /// `sentence` must name the invalid argument and the valid values.
  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
