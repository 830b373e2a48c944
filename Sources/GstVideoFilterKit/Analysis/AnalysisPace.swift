/// How often an analyzer is given a picture.
struct AnalysisPace {
  /// The time from one picture to the next; nil where each frame will do.
  private let interval: Duration?
  /// How much earlier a frame may be than the picture is to be: half of the time between two frames,
  /// which come neither evenly nor in step with the pictures.
  private let tolerance: Duration
  /// When the last picture was, and when the next one is to be.
  private var last: Duration?
  private var next: Duration = .zero

  /// Holds pictures to so many in a second, at least one in a thousand seconds.
  init(perSecond: Double?, of stream: VideoStream) {
    let interval = perSecond.map { 1 / ($0 >= 0.001 ? $0 : 0.001) }
    self.interval = interval.map { .seconds($0) }
    tolerance = .seconds(min(0.5 / max(stream.framesPerSecond ?? 30, 1), (interval ?? 0) / 2))
  }

  /// Whether the frame with a timestamp may be looked at; any may that has none.
  func isDue(at time: Duration?) -> Bool {
    guard interval != nil, let time, let last, time > last else { return true }
    return time >= next - tolerance
  }

  /// Remembers that it is.
  mutating func take(pictureAt time: Duration?) {
    if let interval, let time {
      let isAfter = last.map { time > $0 } ?? false
      next = isAfter ? max(next + interval, time + interval / 2) : time + interval
    }
    last = time
  }
}
