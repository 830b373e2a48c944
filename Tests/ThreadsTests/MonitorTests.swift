import Testing

@testable import Threads

/// Waits of a monitor.
@Suite(.timeLimit(.minutes(15))) struct MonitorTests {
  @Test(
    "accepts any time limit",
    arguments: [
      .seconds(Int64.max), .seconds(Int64.max) * 10, .seconds(10_000_000_000), .seconds(Int64.min),
      .zero,
    ] as [Duration])
  func anyTimeLimit(limit: Duration) {
    let monitor = Monitor(1)
    #expect(monitor.wait(upTo: limit) { $0 } == 1)
    if limit <= .zero { #expect(monitor.wait(upTo: limit) { _ in nil as Int? } == nil) }
  }
}
