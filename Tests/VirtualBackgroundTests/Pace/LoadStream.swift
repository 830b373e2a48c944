import Matting

@testable import VirtualBackground

/// A stream of 30 frames per second on a machine with known costs.
struct LoadStream {
  typealias Level = LoadController.Level

  static let second: UInt64 = 1_000_000_000
  static let frameDuration = second / 30

  let controller: LoadController
  /// Milliseconds of an inference by quality.
  ///
  /// The rest of a frame takes 2 ms.
  var costs: [Quality: Double] = [.fast: 1, .balanced: 6, .accurate: 15]
  /// Every cost is multiplied by this.
  var slowness = 1.0
  /// This many frames per second are late at any cost, with one quality or, if nil, with all.
  var trouble: (quality: Quality?, lateFrames: Int) = (nil, 0)
  var unavailable: Set<Quality> = []
  /// Whether inferences run alongside the stream, so that they take no time of its thread.
  var infersAlongside = false { didSet { controller.infersAlongside = infersAlongside } }
  private(set) var frames = 0
  private(set) var lateFrames = 0
  /// Each level that was used, with the second in which it began.
  private(set) var levels: [(at: Double, level: Level)] = []
  /// Each candidate that was too slow or not available, with its second.
  private(set) var refused: [(at: Double, quality: Quality)] = []
  private var inferenceFrames = 0
  private var now: UInt64 = 0
  private var reportedLate = 0

  init(
    _ quality: Quality?, isAdaptive: Bool = false, hasOwnModel: Bool = false, isLive: Bool = true,
    installed: [Quality] = Quality.allCases
  ) {
    controller = LoadController(
      .init(quality: quality, hasOwnModel: hasOwnModel, isAdaptive: isAdaptive),
      installed: installed, isLive: isLive)
    levels = [(0, controller.level)]
  }

  var seconds: Double { Double(frames) / 30 }
  var time: UInt64 { Self.second + UInt64(frames) * Self.frameDuration }
  /// The qualities that were used, without repeats.
  var qualities: [(at: Double, quality: Quality)] {
    levels.reduce(into: []) { qualities, change in
      if qualities.last?.quality != change.level.quality {
        qualities.append((change.at, change.level.quality))
      }
    }
  }
  func uses(_ quality: Quality, _ interval: Int = 1) -> Bool {
    controller.level == Level(quality: quality, interval: interval)
  }

  /// Runs for `duration` seconds.
  ///
  /// A frame for which the thread has no time is dropped, as GStreamer does.
  mutating func run(_ duration: Double) {
    for _ in 0..<Int(duration * 30) {
      frames += 1
      now = max(now, time)
      if now > time + Self.frameDuration / 2 {
        controller.recordDroppedFrame()
        lateFrames += 1
        continue
      }
      process()
      guard let candidate = controller.candidate else { continue }
      if unavailable.contains(candidate) {
        controller.rejectCandidate(at: now)
        refused.append((seconds, candidate))
        continue
      }
      let cost = UInt64(costs[candidate, default: 0] * slowness * 1e6)
      if !controller.adopt(candidate, cost: InferenceCost(time: cost, processorTime: cost), at: now)
      {
        refused.append((seconds, candidate))
      }
      recordLevel()
    }
  }

  private mutating func process() {
    let level = controller.level
    let infers = inferenceFrames % level.interval == 0
    inferenceFrames += 1
    let inference = infers ? UInt64(costs[level.quality, default: 0] * slowness * 1e6) : 0
    let work = UInt64(2e6 * slowness) + (infersAlongside ? 0 : inference)
    now += work
    let isTroubled = trouble.quality.map { $0 == level.quality } ?? true
    if now > time + Self.frameDuration * 3 / 2
      || isTroubled && frames * trouble.lateFrames % 30 < trouble.lateFrames
    {
      lateFrames += 1
    }
    _ = controller.add(
      FrameLoad(
        time: now, frameInterval: Self.frameDuration, work: work, processorTime: work,
        inferenceTime: infers ? inference : nil, lateFrames: lateFrames - reportedLate))
    reportedLate = lateFrames
    recordLevel()
  }

  private mutating func recordLevel() {
    if levels.last?.level != controller.level { levels.append((seconds, controller.level)) }
  }
}
