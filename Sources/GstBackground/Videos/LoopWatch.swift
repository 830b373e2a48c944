import CGStreamer

/// Monitors a video's way back from its end to its start.
///
/// Seeking is done by elements that may miss the start, swallow the seek or never return from it. A
/// video that brings no picture in time is reopened, then and at each later end, because it would
/// fail again.
struct LoopWatch {
  /// The time limit for the first picture of a pass, in microseconds.
  static let stallTime: gint64 = 3_000_000

  /// The time when the wait for it began, or nil if the pass has a picture.
  private var since: gint64?
  /// Whether a seek to the start failed.
  private(set) var hasFailed = false

  /// Notes a seek to the start at `time`, in microseconds of a monotonic clock.
  mutating func recordSeek(at time: gint64) {
    if since == nil { since = time }
  }

  /// Notes that there is a picture of the pass.
  mutating func recordPicture() {
    since = nil
  }

  /// Notes that going back to the start was refused.
  mutating func recordRefusal() {
    hasFailed = true
    since = nil
  }

  /// Whether the first picture of the pass has been waited for too long at `time`.
  func isOverdue(at time: gint64) -> Bool {
    since.map { time - $0 >= Self.stallTime } ?? false
  }
}
