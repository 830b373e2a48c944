#if canImport(Glibc)
  import Glibc
#endif

/// Waits for what comes in its own time, on however busy a machine.
public enum Patience {
  /// Nothing came: what is waited for does not happen.
  public struct IsOver: Error {}

  /// How long is waited for anything.
  public static let limit = Duration.seconds(60)

  /// Asks again and again until there is an answer, and returns it.
  ///
  /// - Throws: `IsOver` after a minute, so that a test that fails comes to its end; how long the
  ///   answer took is judged by nobody.
  public static func wait<Answer>(for find: () throws -> Answer?) throws -> Answer {
    let end = ContinuousClock.now + limit
    while true {
      if let answer = try find() { return answer }
      guard ContinuousClock.now < end else { throw IsOver() }
      usleep(1000)
    }
  }

  /// Waits until something is so; throws as `wait(for:)` does.
  public static func wait(until isSo: () throws -> Bool) throws {
    try wait { try isSo() ? () : nil }
  }
}
