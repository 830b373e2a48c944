import Matting
import Testing

@testable import VirtualBackground

@Suite struct LoadControllerTests {
  private static let fromAccurate: [(Quality, Int)] = [
    (.accurate, 1), (.accurate, 2), (.accurate, 3), (.balanced, 2), (.balanced, 3), (.fast, 2),
    (.fast, 3),
  ]

  @Test("lowers the rate before the chosen quality, and nothing without adaptive")
  func ladders() {
    func levels(_ stream: LoadStream) -> [String] {
      var stream = stream
      stream.trouble.lateFrames = 30
      stream.run(60)
      return stream.levels.map { "\($0.level.quality) \($0.level.interval)" }
    }
    let all = Self.fromAccurate.map { "\($0) \($1)" }
    #expect(levels(LoadStream(.accurate, isAdaptive: true)) == all)
    #expect(
      levels(LoadStream(.accurate, isAdaptive: true, hasOwnModel: true)) == Array(all.prefix(3)))
    #expect(
      levels(LoadStream(.accurate, isAdaptive: true, installed: [.accurate]))
        == Array(all.prefix(3)))
    #expect(levels(LoadStream(.fast, isAdaptive: true)) == ["fast 1", "fast 2", "fast 3"])
    #expect(levels(LoadStream(nil, isAdaptive: true)) == ["fast 1", "fast 2", "fast 3"])
    #expect(levels(LoadStream(nil)) == ["fast 1"])
    #expect(levels(LoadStream(.accurate)) == ["accurate 1"])
    #expect(levels(LoadStream(nil, installed: [])) == ["balanced 1"])
  }

  @Test("returns to every frame if the quality that was asked for is not installed")
  func missingQuality() {
    var stream = LoadStream(.balanced, isAdaptive: true, installed: [.fast])
    stream.trouble.lateFrames = 30
    stream.run(20)
    #expect(stream.uses(.balanced, 3))
    stream.trouble.lateFrames = 0
    stream.run(60)
    #expect(stream.uses(.balanced, 1))
  }

  @Test("tries a quality that the user chose again after its network could not be loaded")
  func failedLoad() {
    var stream = LoadStream(.accurate, isAdaptive: true)
    stream.trouble.lateFrames = 30
    stream.run(60)
    stream.trouble.lateFrames = 0
    stream.unavailable = [.balanced, .accurate]
    stream.run(60)
    #expect(stream.uses(.fast, 2) || stream.uses(.fast, 3))
    #expect(!stream.refused.isEmpty)
    stream.unavailable = []
    stream.run(900)
    #expect(stream.uses(.accurate, 1))
  }

  @Test("returns to every frame within a budget that suffices for it")
  func budgetSuffices() {
    var stream = LoadStream(.fast, isAdaptive: true)
    stream.costs[.fast] = 6
    stream.controller.maxProcessorShare = 0.35
    stream.trouble.lateFrames = 30
    stream.run(10)
    #expect(stream.uses(.fast, 3))
    stream.trouble.lateFrames = 0
    stream.run(60)
    #expect(stream.uses(.fast, 1))
  }

  @Test("with auto and adaptive, lowers the quality to the cheapest and only then the rate")
  func autoAndAdaptive() {
    var stream = LoadStream(nil, isAdaptive: true)
    stream.run(30)
    #expect(stream.uses(.accurate))
    stream.trouble.lateFrames = 30
    stream.run(10)
    let down = stream.levels.drop { $0.level.quality != .accurate }.map(\.level)
    #expect(down.map(\.quality) == [.accurate, .balanced, .fast, .fast, .fast])
    #expect(down.map(\.interval) == [1, 1, 1, 2, 3])
    #expect(stream.controller.steps == (down: 4, count: 5))
  }

  @Test("auto begins a live stream with the cheapest quality and takes one step up at a time")
  func climb() {
    var stream = LoadStream(nil)
    stream.run(60)
    let qualities = stream.qualities
    #expect(qualities.map(\.quality) == [.fast, .balanced, .accurate])
    #expect(qualities[1].at >= 2 && qualities[1].at < 3.5)
    let stay = qualities[2].at - qualities[1].at
    #expect(stay >= 10 && stay < 11.5)
    #expect(stream.controller.steps == (down: 0, count: 3))
  }

  @Test("auto uses balanced at most if the source is not live")
  func notLive() {
    var stream = LoadStream(nil, isLive: false)
    stream.costs[.fast] = 5
    stream.run(120)
    #expect(stream.levels.count == 1 && stream.uses(.balanced))
    stream.trouble.lateFrames = 30
    stream.run(3)
    #expect(stream.uses(.fast))
    #expect(LoadStream(nil, isLive: false, installed: [.fast]).uses(.fast))
    #expect(LoadStream(nil, isLive: false, installed: [.accurate]).uses(.accurate))
  }

  @Test("keeps the requested quality if there is time", arguments: [25.0, 15])
  func enoughTime(cost: Double) {
    var stream = LoadStream(.accurate, isAdaptive: true)
    stream.costs[.accurate] = cost
    stream.run(20)
    #expect(stream.levels.count == 1)
  }

  /// 30 of 33 ms would leave nothing for a sink or a moment's load.
  @Test("measures a slow candidate again after one, two and four minutes, and does not use it")
  func slowCandidate() {
    var stream = LoadStream(nil)
    stream.costs[.accurate] = 28
    stream.run(510)
    #expect(stream.uses(.balanced) && stream.levels.count == 2)
    let times = stream.refused.map(\.at)
    #expect(stream.refused.allSatisfy { $0.quality == .accurate } && times.count == 4)
    for (pause, expected) in zip(zip(times, times.dropFirst()).map { $1 - $0 }, [60.0, 120, 240]) {
      #expect(pause >= expected && pause < expected + 1)
    }
  }

  /// As if another program used the processor, or a sink became slow.
  @Test(
    "tries a quality that fits by measurement but keeps failing less and less often",
    arguments: [8, 30], [false, true])
  func failingQuality(lateFrames: Int, isAdaptive: Bool) {
    var stream = LoadStream(isAdaptive ? .balanced : nil, isAdaptive: isAdaptive)
    stream.costs[.accurate] = 150
    stream.trouble = (.balanced, lateFrames)
    stream.run(2000)
    let qualities = stream.qualities.drop { $0.quality == .balanced }
    let stays = zip(qualities, qualities.dropFirst()).map {
      (quality: $0.quality, seconds: $1.at - $0.at)
    }
    // The first step up comes early because no step has failed yet.
    let waits = stays.filter { $0.quality == .fast }.map(\.seconds).dropFirst()
    #expect(waits.count >= 4)
    for (wait, expected) in zip(waits, [60.0, 120, 240, 480, 480]) {
      #expect(wait > expected - 0.1 && wait < expected + 15, "\(waits)")
    }
    // A quality change is more visible than a few late frames, but less than a stuttering stream.
    let shown = stays.filter { $0.quality == .balanced }.map(\.seconds)
    #expect(shown.allSatisfy { lateFrames == 30 ? $0 < 5 : $0 >= 10 && $0 < 15 }, "\(shown)")
  }

  @Test("lowers the quality if inferences alongside the stream become too long")
  func longInferencesAlongside() {
    var stream = LoadStream(nil)
    stream.infersAlongside = true
    stream.run(60)
    #expect(stream.uses(.accurate))
    stream.costs[.accurate] = 160
    stream.run(5)
    #expect(stream.uses(.balanced))
  }

  @Test("settles on the best quality whose inferences may run alongside the stream")
  func automaticQualityAlongside() {
    var stream = LoadStream(nil)
    stream.infersAlongside = true
    stream.costs = [.fast: 3, .balanced: 60, .accurate: 180]
    stream.run(30)
    #expect(stream.uses(.balanced))
    stream.run(600)
    #expect(stream.qualities.count == 2)
    #expect(stream.uses(.balanced))
  }

  @Test("keeps the rate if only another quality would shorten its inferences")
  func longInferencesOfOneQuality() {
    var stream = LoadStream(.fast, isAdaptive: true)
    stream.infersAlongside = true
    stream.costs[.fast] = 160
    stream.run(60)
    #expect(stream.uses(.fast))
  }

  @Test("waits a minute after a step up that soon failed, and ten seconds after other trouble")
  func probation() {
    var stream = LoadStream(nil)
    stream.costs[.accurate] = 28
    stream.run(45)
    #expect(stream.uses(.balanced))
    stream.trouble.lateFrames = 30
    stream.run(3)
    #expect(stream.uses(.fast))
    stream.trouble.lateFrames = 0
    stream.run(55)
    #expect(stream.uses(.fast))
    stream.run(75)
    #expect(stream.uses(.balanced))
    stream.trouble.lateFrames = 30
    stream.run(3)
    #expect(stream.uses(.fast))
    stream.trouble.lateFrames = 0
    stream.run(14)
    #expect(stream.uses(.balanced))
  }

  @Test("lowers the quality after two overloaded windows, not after one")
  func badWindow() {
    var stream = LoadStream(nil)
    stream.run(30.3)
    stream.costs[.accurate] = 40
    stream.run(0.3)
    stream.costs[.accurate] = 15
    stream.run(60)
    #expect(stream.uses(.accurate))
    stream.costs[.accurate] = 40
    stream.run(2)
    #expect(stream.uses(.balanced))
  }

  @Test("keeps the quality while late frames come in short series")
  func seriesOfLateFrames() {
    var stream = LoadStream(nil)
    stream.run(30.3)
    for _ in 0..<60 {
      stream.trouble.lateFrames = 8
      stream.run(1.4)
      stream.trouble.lateFrames = 0
      stream.run(1.1)
    }
    #expect(stream.uses(.accurate))
    stream.trouble.lateFrames = 8
    stream.run(3)
    #expect(stream.uses(.balanced))
  }

  @Test("ignores a single late frame per second")
  func singleLateFrame() {
    var stream = LoadStream(.fast, isAdaptive: true)
    stream.trouble.lateFrames = 1
    stream.run(20)
    #expect(stream.levels.count == 1 && stream.lateFrames == 20)
  }

  @Test("keeps frames in time under load, and then returns to the requested quality")
  func load() {
    var stream = LoadStream(.accurate, isAdaptive: true)
    stream.costs[.accurate] = 25
    stream.run(3)
    stream.slowness = 3
    stream.run(5)
    #expect(stream.controller.level.quality < .accurate)
    let lateFrames = stream.lateFrames
    stream.run(20)
    #expect(stream.lateFrames - lateFrames <= 60, "at most a tenth of 600 frames")
    stream.slowness = 1
    stream.run(70)
    #expect(stream.uses(.accurate))
  }

  @Test("does not repeat a hopeless step up again and again")
  func hopelessStep() {
    var stream = LoadStream(.accurate, isAdaptive: true)
    stream.slowness = 4
    stream.run(5)
    let count = stream.levels.count
    stream.run(60)
    #expect(stream.levels.count - count <= 10)
  }

  @Test("treats a live thread without pauses as overloaded, but not one that pulls its frames")
  func busyThread() {
    for isLive in [true, false] {
      var stream = LoadStream(.balanced, isAdaptive: true, isLive: isLive)
      stream.costs[.balanced] = 30.9
      stream.run(2)
      #expect((stream.controller.level.interval > 1) == isLive)
    }
  }

  @Test("complies with the processor budget, and uses a raised budget")
  func budget() {
    var adaptive = LoadStream(.accurate, isAdaptive: true)
    adaptive.costs[.accurate] = 25
    // 6.7 ms per frame: accurate costs 10.3 for every third frame, balanced 5 for every second.
    adaptive.controller.maxProcessorShare = 0.2
    adaptive.run(10)
    #expect(adaptive.uses(.balanced, 2))
    let count = adaptive.levels.count
    adaptive.run(60)
    #expect(adaptive.levels.count == count)
    adaptive.controller.maxProcessorShare = 0
    adaptive.run(5)
    #expect(adaptive.uses(.accurate))
    var auto = LoadStream(nil)
    auto.controller.maxProcessorShare = 0.35
    auto.run(120)
    #expect(auto.uses(.balanced))
    auto.controller.maxProcessorShare = 0.15
    auto.run(3)
    #expect(auto.uses(.fast))
  }

  @Test("tries a failed quality again with frames of another size")
  func newFormat() {
    var stream = LoadStream(nil)
    stream.costs[.balanced] = 30
    stream.run(10)
    #expect(stream.refused.map(\.quality) == [.balanced])
    stream.costs[.balanced] = 6
    stream.controller.recordNewFormat(at: stream.time)
    stream.run(3.5)
    #expect(stream.uses(.balanced))
  }

  @Test("skips a candidate if its network is not available")
  func unavailableCandidate() {
    var stream = LoadStream(nil)
    stream.unavailable = [.balanced, .accurate]
    stream.run(60)
    #expect(stream.refused.map(\.quality) == [.balanced, .accurate])
    #expect(stream.uses(.fast) && stream.controller.steps == (down: 0, count: 1))
  }

  @Test("survives a clock that jumps")
  func jumpingClock() {
    let controller = LoadStream(.accurate, isAdaptive: true).controller
    controller.maxProcessorShare = 1e-300
    for time in [UInt64.max, 0, 5, .max - 1, 1, LoadStream.second, 2 * LoadStream.second, .max] {
      for work in [UInt64.max, 0, 1, 2, 3, 4] {
        controller.recordBlocked(for: work)
        _ = controller.add(
          FrameLoad(
            time: time, frameInterval: work, work: work, processorTime: work, inferenceTime: work,
            lateFrames: 3))
      }
    }
    #expect(controller.steps.down < controller.steps.count)
  }
}

@Suite struct LostFrameTests {
  private static let millisecond: UInt64 = 1_000_000
  private let controller = LoadController(
    .init(quality: .fast, hasOwnModel: false, isAdaptive: false), installed: [], isLive: true)

  /// Returns the overloads that are found at 30 frames per second, after the time that settles.
  ///
  /// Only one of `frames` frames is processed: it takes `work` and `blocked` milliseconds.
  /// `missing` and `late` are the numbers of lost frames per processed frame.
  private func overloads(
    in seconds: Double, from start: Double = 0, work: UInt64, blocked: UInt64 = 0,
    missing: Int = 0, late: Int = 0, every frames: UInt64 = 1
  ) -> [Overload] {
    (0...UInt64(seconds * 30) / frames).compactMap { index in
      controller.recordMissingFrames(missing)
      for _ in 0..<late { controller.recordDroppedFrame() }
      controller.recordBlocked(for: blocked * Self.millisecond)
      return controller.add(
        FrameLoad(
          time: LoadStream.second + UInt64(start * 1e9) + index * frames * LoadStream.frameDuration,
          frameInterval: LoadStream.frameDuration, work: work * Self.millisecond, processorTime: 0,
          inferenceTime: nil, lateFrames: 0))
    }
  }

  @Test("reports work that loses frames for two seconds, not for one")
  func work() {
    #expect(overloads(in: 1.5, work: 30, missing: 1).isEmpty)
    controller.restart(at: 3 * LoadStream.second)
    let found = overloads(in: 4, from: 2, work: 30, missing: 1)
    #expect(found.first?.cause == .work && found.first?.time == 30 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 30) < 2 } == true)
  }

  /// GStreamer drops many frames after a late one, so that the thread rests.
  @Test("counts frames that were dropped for being late while the thread rests")
  func lateFrames() {
    let found = overloads(in: 6, work: 150, late: 19, every: 20)
    #expect(found.first?.cause == .work && found.first?.time == 150 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 28.5) < 2 } == true)
  }

  /// Each output frame takes the time of three input frames: 20 ms of work, and 75 ms in a sink.
  @Test("distinguishes frames lost to a blocking sink from frames lost to work")
  func blockingDownstream() {
    let found = overloads(in: 4, work: 20, blocked: 75, missing: 2, every: 3)
    #expect(found.first?.cause == .downstream && found.first?.time == 75 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 20) < 2 } == true)
  }

  @Test("reports nothing if the work loses no frame, or something else does")
  func harmless() {
    // A camera in the dark, another slow element, a busy thread, a sink, and an idle thread.
    #expect(overloads(in: 10, work: 15, missing: 1, every: 2).isEmpty)
    #expect(overloads(in: 10, from: 20, work: 10, late: 1, every: 2).isEmpty)
    #expect(overloads(in: 10, from: 40, work: 33).isEmpty)
    #expect(overloads(in: 10, from: 60, work: 8, blocked: 25).isEmpty)
    #expect(overloads(in: 10, from: 80, work: 20, blocked: 10, missing: 2, every: 3).isEmpty)
  }

  @Test("reports nothing if a sink blocks once, or after a restart")
  func shortLoss() {
    #expect(overloads(in: 2, work: 20).isEmpty)
    #expect(overloads(in: 1, from: 2.1, work: 20, blocked: 75, missing: 2, every: 3).isEmpty)
    #expect(overloads(in: 5, from: 3.2, work: 20).isEmpty)
    for start in [10.0, 12, 14] {
      controller.restart(at: UInt64(start * 1e9) + LoadStream.second)
      #expect(overloads(in: 1.9, from: start, work: 30, missing: 1).isEmpty)
    }
  }
}
