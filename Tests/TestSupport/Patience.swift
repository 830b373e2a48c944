#if canImport(Glibc)
  import Glibc
#endif

/// Waits for what comes in its own time, on however busy a machine.
public enum Patience {
  /// Nothing came: what is waited for does not happen.
  public struct IsOver: Error, CustomStringConvertible {
    /// What was waited for in vain.
    public let description: String
  }

  /// How long is waited for anything.
  public static let limit = Duration.seconds(60)

  /// Asks again and again until there is an answer, and returns it.
  ///
  /// - Throws: `IsOver` with a complaint after a minute, so that a test that fails comes to its end;
  ///   how long the answer took is judged by nobody.
  public static func wait<Answer>(
    _ complaint: @autoclosure () -> String = "waited in vain", for find: () throws -> Answer?
  ) throws -> Answer {
    let end = ContinuousClock.now + limit
    while true {
      if let answer = try find() { return answer }
      guard ContinuousClock.now < end else { throw IsOver(description: complaint()) }
      usleep(1000)
    }
  }

  /// Waits until something is so; throws as `wait(for:)` does.
  public static func wait(
    _ complaint: @autoclosure () -> String = "waited in vain", until isSo: () throws -> Bool
  ) throws {
    try wait(complaint(), for: { try isSo() ? () : nil })
  }
}
