import InferenceTypes
import Testing
import VirtualBackground

/// A machine on which an inference takes so long, and frames come at 30 a second.
private struct Machine {
  static let frame: UInt64 = 33_333_333
  var control: LoadControl
  var budget = WorkBudget(processorShare: 0, isLive: false)
  /// Milliseconds of an inference by quality, and of the rest of a frame.
  var inference: [Quality: Double] = [.accurate: 25, .balanced: 7, .fast: 1]
  var blend = 1.0
  /// With this quality one in `interval` frames is late, regardless of its work.
  var trouble: (quality: Quality, interval: Int)?
  /// Everything takes so many times as long.
  var slowness = 1.0
  var time: UInt64 = 0
  private(set) var frames = 0
  private(set) var lateFrames = 0
  private(set) var changes: [LoadControl.Level] = []
  /// The qualities that were used, each with the second in which it began.
  private(set) var qualities: [(quality: Quality, since: Double)] = []
  private var backlog: UInt64 = 0

  init(_ quality: Quality, canChangeQuality: Bool = true) {
    control = LoadControl(quality: quality, canChangeQuality: canChangeQuality)
  }

  /// Whether that is in force.
  func shows(_ quality: Quality, _ interval: Int) -> Bool {
    control.level.quality == quality && control.level.interval == interval
  }

  /// Runs for some seconds; a frame whose work is not done when the next one comes is late.
  mutating func run(_ seconds: Double) {
    for _ in 0..<Int(seconds * 30) {
      let infers = frames % control.level.interval == 0
      let cost = blend + (infers ? inference[control.level.quality, default: 0] : 0)
      let work = UInt64(cost * slowness * 1e6)
      frames += 1
      let begin = time + backlog
      let end = begin + work
      time += Self.frame
      let isTroubled = trouble.map {
        $0.quality == control.level.quality && frames % $0.interval == 0
      }
      let isLate = isTroubled == true || end > time + Self.frame / 2
      // Late frames make the next ones be dropped, and so time is made up for.
      backlog = isLate ? 0 : (end > time ? end - time : 0)
      if isLate { lateFrames += 1 }
      let changed = control.add(
        WorkSample(
          time: max(end, time), frameInterval: Self.frame, work: work,
          processorTime: UInt64(cost * 1e6), inferred: infers, lateFrames: isLate ? 1 : 0),
        budget: budget)
      if changed { changes.append(control.level) }
      if qualities.last?.quality != control.level.quality {
        qualities.append((control.level.quality, Double(time) / 1e9))
      }
    }
  }
}

@Suite struct LoadControlTests {
  @Test func theRateIsLoweredBeforeTheQuality() {
    let levels = LoadControl(quality: .accurate).levels
    let expected: [(Quality, Int)] = [
      (.accurate, 1), (.accurate, 2), (.accurate, 3), (.balanced, 2), (.balanced, 3), (.fast, 2),
      (.fast, 3),
    ]
    #expect(levels.map(\.quality) == expected.map(\.0))
    #expect(levels.map(\.interval) == expected.map(\.1))
    #expect(LoadControl(quality: .fast).levels.count == 3)
    #expect(LoadControl(quality: .accurate, canChangeQuality: false).levels.count == 3)
  }

  @Test func aMachineWithRoomKeepsTheBest() {
    var machine = Machine(.accurate)
    machine.budget.isLive = true
    machine.run(20)
    #expect(machine.changes.isEmpty)
  }

  @Test func underLoadFramesAreInTimeAgainAndComeBackAfterIt() {
    var machine = Machine(.accurate)
    machine.run(3)
    machine.slowness = 3
    machine.run(2)
    #expect(machine.control.level.quality < .accurate)
    let late = machine.lateFrames
    machine.run(20)
    #expect(machine.lateFrames - late <= 60, "at most a tenth of 600 frames")
    machine.slowness = 1
    machine.run(5)
    #expect(machine.shows(.accurate, 1))
  }

  @Test func aHopelessRaiseIsNotTriedAgainAndAgain() {
    var machine = Machine(.accurate)
    // Too slow for every frame from the beginning, so that its best is not known.
    machine.slowness = 2.5
    machine.run(5)
    let settled = machine.changes.count
    machine.run(60)
    #expect(machine.changes.count - settled <= 20)
  }

  /// `balanced` is fast enough by its cost, but other programs make its frames late.
  @Test(
    "tries a quality that keeps failing less and less often", arguments: [4, 1],
    [Quality.balanced, .accurate])
  func failingQuality(interval: Int, asked: Quality) {
    var machine = Machine(asked)
    machine.budget.isLive = true
    machine.trouble = (.balanced, interval)
    machine.inference[.accurate] = 150
    machine.run(1800)
    let stays = zip(machine.qualities, machine.qualities.dropFirst()).map {
      (quality: $0.quality, seconds: $1.since - $0.since)
    }
    let waits = stays.filter { $0.quality == .fast }.map(\.seconds)
    #expect(waits.count == 6 || waits.count == 5, "\(waits)")
    // The first wait is short, because no step up has failed yet.
    for (wait, least) in zip(waits, [10.0, 60, 120, 240, 480, 480]) {
      #expect(wait >= least, "\(waits)")
    }
    // A quality change is more visible than a few late frames, but less than a stuttering stream.
    let shown = stays.dropFirst(asked == .balanced ? 1 : 2).filter { $0.quality == .balanced }
    #expect(shown.allSatisfy { interval == 1 ? $0.seconds < 5 : $0.seconds >= 10 }, "\(stays)")
  }

  @Test("returns to a quality that failed once, and forgets the failure after its probation")
  func recoveredQuality() {
    var machine = Machine(.balanced)
    machine.trouble = (.balanced, 1)
    machine.run(30)
    #expect(machine.control.level.quality == .fast)
    machine.trouble = nil
    machine.run(150)
    #expect(machine.shows(.balanced, 1))
    machine.trouble = (.balanced, 1)
    machine.run(2)
    machine.trouble = nil
    machine.run(15)
    #expect(machine.shows(.balanced, 1))
  }

  @Test func aLiveThreadWithoutPauseIsOverloaded() {
    var machine = Machine(.balanced)
    machine.budget.isLive = true
    machine.inference[.balanced] = 31.9
    machine.run(2)
    #expect(machine.control.current > 0)
    // One that pulls its frames as fast as it can is not.
    var offline = Machine(.balanced)
    offline.inference[.balanced] = 31.9
    offline.run(2)
    #expect(offline.control.current == 0)
  }

  @Test func theProcessorsShareIsKept() {
    var machine = Machine(.accurate)
    machine.budget.processorShare = 0.2
    machine.run(10)
    // 0.2 of 33.3 ms are 6.7 ms a frame: accurate costs 9.3 for every third, balanced 4.5 for every
    // second.
    #expect(machine.shows(.balanced, 2), "\(machine.control.level)")
    let changes = machine.changes.count
    machine.run(20)
    #expect(machine.changes.count == changes, "no swinging to and fro")
    machine.budget.processorShare = 0
    machine.run(5)
    #expect(machine.shows(.accurate, 1))
  }

  @Test func aSingleLateFrameIsNoTrouble() {
    var control = LoadControl(quality: .fast)
    let budget = WorkBudget(processorShare: 0, isLive: false)
    var time: UInt64 = 0
    for frame in 0..<300 {
      time += Machine.frame
      let changed = control.add(
        WorkSample(
          time: time, frameInterval: Machine.frame, work: 1_000_000, processorTime: 1_000_000,
          inferred: true, lateFrames: frame % 30 == 0 ? 1 : 0), budget: budget)
      #expect(!changed)
    }
  }

  @Test func clocksThatJumpDoNotTrap() {
    var control = LoadControl(quality: .accurate)
    let budget = WorkBudget(processorShare: 1e-300, isLive: true)
    for time in [UInt64.max, 0, 5, .max - 1, 1, 1_000_000_000, 2_000_000_000, .max] {
      for work in [UInt64.max, 0, 1] {
        _ = control.add(
          WorkSample(
            time: time, frameInterval: work, work: work, processorTime: work, inferred: true,
            lateFrames: 3), budget: budget)
      }
    }
    #expect(control.levels.indices.contains(control.current))
  }
}
