#if canImport(Glibc)
  import Glibc
#endif

/// Waits for events, with a timeout that is long enough for a busy machine.
package enum Patience {
  /// The event did not happen in time.
  package struct IsOver: Error, CustomStringConvertible {
    /// The event that did not happen.
    package let description: String
  }

  /// The timeout.
  package static let limit = Duration.seconds(60)

  /// Polls until there is an answer, and returns it.
  ///
  /// - Throws: `IsOver` with a complaint after a minute, so that a failing test ends. There is no
  ///   assertion on the elapsed time.
  package static func wait<Answer>(
    _ complaint: @autoclosure () -> String = "waited in vain", for find: () throws -> Answer?
  ) throws -> Answer {
    let end = ContinuousClock.now + limit
    while true {
      if let answer = try find() { return answer }
      guard ContinuousClock.now < end else { throw IsOver(description: complaint()) }
      usleep(1000)
    }
  }

  /// Waits until a condition is true.
  ///
  /// Throws like `wait(for:)`.
  package static func wait(
    _ complaint: @autoclosure () -> String = "waited in vain", until isSo: () throws -> Bool
  ) throws {
    try wait(complaint(), for: { try isSo() ? () : nil })
  }
}
