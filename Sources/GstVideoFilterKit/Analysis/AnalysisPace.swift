/// Decides which frames an analyzer gets a picture of.
struct AnalysisPace {
  /// The time from one picture to the next, or nil if every frame may be taken.
  private let interval: Duration?
  /// How much earlier than due a frame may be: half of the time between two frames, which come
  /// neither evenly nor in step with the pictures.
  private let tolerance: Duration
  /// Timestamps: of the last picture, and from which the next one is due.
  private var last: Duration?
  private var next: Duration = .zero

  /// Limits pictures to `perSecond`, at least 0.001, or nil for no limit.
  init(perSecond: Double?, of stream: VideoStream) {
    let interval = perSecond.map { 1 / ($0 >= 0.001 ? $0 : 0.001) }
    self.interval = interval.map { .seconds($0) }
    tolerance = .seconds(min(0.5 / max(stream.framesPerSecond ?? 30, 1), (interval ?? 0) / 2))
  }

  /// Whether a picture is due at a frame's timestamp.
  ///
  /// Always true without one.
  func isDue(at time: Duration?) -> Bool {
    guard interval != nil, let time, let last, time > last else { return true }
    return time >= next - tolerance
  }

  /// Notes that a picture of the frame at `time` was taken.
  mutating func take(pictureAt time: Duration?) {
    if let interval, let time {
      let isAfter = last.map { time > $0 } ?? false
      next = isAfter ? max(next + interval, time + interval / 2) : time + interval
    }
    last = time
  }
}
