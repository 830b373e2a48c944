/// An argument on a command line that a tool does not understand.
public struct UsageError: Error, Equatable {
  /// What is wrong, for the user.
  public let sentence: String

  /// Names the argument and what is wanted instead.
  public init(_ sentence: String) {
    self.sentence = sentence
  }
}
