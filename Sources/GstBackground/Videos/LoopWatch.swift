import CGStreamer

/// Watches over a video's way back from its end to its start.
///
/// Seeking is done by elements that may miss the start, swallow the seek or never return from it. What
/// brings no picture in time is opened anew, and from then on at each end: it would fail again.
struct LoopWatch {
  /// How long the first picture of a pass is waited for, in microseconds.
  static let patience: gint64 = 3_000_000

  /// Since when it has been waited for; nil when there is a picture of the pass.
  private var since: gint64?
  /// Whether a seek to the start failed.
  private(set) var hasFailed = false

  /// Notes that the start was asked for at `time`, in microseconds of a clock that never goes back.
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
    since.map { time - $0 >= Self.patience } ?? false
  }
}
