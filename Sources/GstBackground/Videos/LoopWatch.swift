import CGStreamer

/// Detects when a looping video fails to restart.
///
/// The elements that seek may miss the start, ignore the seek or never return from it. If no
/// picture arrives in time, the video is reopened. From then on it is reopened at every end,
/// because a seek would fail again.
struct LoopWatch {
  /// The time limit for the first picture of a pass, in microseconds.
  static let stallTime: gint64 = 3_000_000

  /// When the wait for the first picture of this pass began, or nil if there is no wait.
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
