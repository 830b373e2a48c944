/// An invalid argument on the command line of a tool.
public struct UsageError: Error, Equatable {
  /// The problem, for the user.
  public let sentence: String

  /// Creates an error with a sentence that names the argument and valid ones.
  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
