/// Decides for which frames an analyzer gets a picture.
struct AnalysisPace {
  /// The time from one picture to the next, or nil if there is no limit.
  private let interval: Duration?
  /// The time by which a picture may be early: half of the time between two frames.
  ///
  /// It is needed because frames arrive with jitter, and `interval` need not be a multiple of the
  /// frame interval.
  private let tolerance: Duration
  /// The timestamp of the last picture.
  private var last: Duration?
  /// The timestamp at which the next picture is due.
  private var next: Duration = .zero

  /// Limits the rate to `perSecond` pictures, or does not limit it if `perSecond` is nil.
  ///
  /// A rate below 0.001 counts as 0.001.
  init(perSecond: Double?, of stream: VideoStream) {
    let interval = perSecond.map { 1 / ($0 >= 0.001 ? $0 : 0.001) }
    self.interval = interval.map { .seconds($0) }
    tolerance = .seconds(min(0.5 / max(stream.framesPerSecond ?? 30, 1), (interval ?? 0) / 2))
  }

  /// Returns whether a picture of the frame with this timestamp is due.
  ///
  /// Returns true if the frame has no timestamp.
  func isDue(at time: Duration?) -> Bool {
    guard interval != nil, let time, let last, time > last else { return true }
    return time >= next - tolerance
  }

  /// Records that a picture of the frame at `time` was taken.
  mutating func take(pictureAt time: Duration?) {
    if let interval, let time {
      let isAfter = last.map { time > $0 } ?? false
      next = isAfter ? max(next + interval, time + interval / 2) : time + interval
    }
    last = time
  }
}
