import CGStreamer

/// Detects when a looping video fails to restart.
///
/// An element may seek to another position, ignore the seek or never return from it. If no picture
/// arrives within `stallTime`, `VideoThread` reopens the video. From then on it reopens the video
/// at the end of every pass, because a seek would fail again.
struct LoopWatch {
  /// The time limit for the first picture of a pass, in microseconds.
  static let stallTime: gint64 = 3_000_000

  /// The time of the seek if its first picture has not arrived, otherwise nil.
  private var since: gint64?
  /// Whether a seek to the start has failed.
  private(set) var hasFailed = false

  /// Records a seek to the start at `time`, in microseconds of a monotonic clock.
  mutating func recordSeek(at time: gint64) {
    if since == nil { since = time }
  }

  /// Records that a picture of the pass has arrived.
  mutating func recordPicture() {
    since = nil
  }

  /// Records that the seek to the start failed.
  mutating func recordRefusal() {
    hasFailed = true
    since = nil
  }

  /// Returns whether the first picture of the pass is overdue at `time`.
  func isOverdue(at time: gint64) -> Bool {
    since.map { time - $0 >= Self.stallTime } ?? false
  }
}
