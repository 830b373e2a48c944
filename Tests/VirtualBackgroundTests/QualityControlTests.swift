import InferenceTypes
import Testing

@testable import VirtualBackground

/// Which quality is chosen for a stream whose costs the test knows.
@Suite struct QualityControlTests {
  private static let millisecond: UInt64 = 1_000_000
  private static let second: UInt64 = 1_000_000_000

  /// A stream of thirty frames a second, each of which takes 2 ms besides its inference.
  private struct Stream {
    var control: QualityControl
    /// Milliseconds of an inference, and whether one more thread computes as long.
    var costs: [Quality: UInt64]
    var budget = WorkBudget(processorShare: 0, isLive: true)
    var mayRaise = true
    /// The number of late frames in thirty, and the quality with which they are late: nil for all.
    var lateFrames = 0
    var troubled: Quality?
    private(set) var frame: UInt64 = 0

    init(
      _ costs: [Quality: UInt64], qualities: [Quality] = Quality.allCases, isLive: Bool = true
    ) {
      self.costs = costs
      control = QualityControl(qualities: qualities, isLive: isLive)
      budget.isLive = isLive
    }

    /// Seconds since the first frame.
    var seconds: Double { Double(frame) / 30 }
    /// When the frame that comes next is worked on.
    var time: UInt64 { second + frame * second / 30 }

    /// Lets so many seconds pass; tells each quality that was used or tried, and when.
    @discardableResult
    mutating func run(_ duration: Double) -> [(at: Double, used: Quality?, refused: Quality?)] {
      var events: [(at: Double, used: Quality?, refused: Quality?)] = []
      for _ in 0..<Int(duration * 30) {
        frame += 1
        let inference = costs[control.current, default: 1] * millisecond
        let work = inference + 2 * millisecond
        let isTroubled = troubled.map { $0 == control.current } != false
        let isLate = isTroubled && frame * UInt64(lateFrames) % 30 < UInt64(lateFrames)
        let stepsDown = control.add(
          WorkSample(
            time: time, frameInterval: second / 30, work: work, processorTime: work,
            inferred: true, inferenceTime: inference, lateFrames: isLate ? 1 : 0),
          budget: budget, mayRaise: mayRaise)
        if stepsDown { events.append((seconds, control.current, nil)) }
        guard let candidate = control.candidate else { continue }
        let cost = costs[candidate, default: 1] * millisecond
        let isUsed = control.takeUp(
          InferenceCost(time: cost, processorTime: cost), at: time)
        events.append((seconds, isUsed ? candidate : nil, isUsed ? nil : candidate))
      }
      return events
    }
  }

  @Test func itBeginsWithTheCheapestAndClimbsOneStepAtATime() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 15])
    #expect(stream.control.current == .fast)
    let events = stream.run(60)
    #expect(events.map(\.used) == [.balanced, .accurate])
    #expect(events[0].at >= 2 && events[0].at < 3.5)
    #expect(events[1].at - events[0].at >= 10 && events[1].at - events[0].at < 11.5)
    #expect(stream.control.steps == (down: 0, count: 3))
  }

  /// 30 ms of 33 would leave nothing for a sink, nor for a moment's load.
  @Test func whatTakesTooMuchOfAFrameIsMeasuredAndNotUsed() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 28])
    let events = stream.run(500)
    #expect(stream.control.current == .balanced)
    let refusals = events.filter { $0.refused == .accurate }.map(\.at)
    // Not again for a minute, then for two, then for four.
    #expect(events.count == 1 + refusals.count && refusals.count == 4)
    for (index, pause) in [60.0, 120, 240].enumerated() {
      let passed = refusals[index + 1] - refusals[index]
      #expect(passed >= pause && passed < pause + 1)
    }
  }

  /// The measurement was wrong, or the machine is throttled.
  @Test func aStepUpThatMakesFramesLateIsTakenBackAndNotTriedForAMinute() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 15])
    stream.run(5)
    #expect(stream.control.current == .balanced)
    stream.costs[.balanced] = 40
    let events = stream.run(60)
    #expect(events.map(\.used) == [.fast])
    #expect(events[0].at < 7.5)
    stream.costs[.balanced] = 6
    #expect(stream.run(20).first?.used == .balanced)
    #expect(stream.seconds > 65)
  }

  @Test func aBadHalfSecondIsNoReasonAndASecondOneIs() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 15])
    stream.run(30)
    #expect(stream.control.current == .accurate)
    stream.costs[.accurate] = 40
    #expect(stream.run(0.7).isEmpty)
    stream.costs[.accurate] = 15
    #expect(stream.run(60).isEmpty)
    stream.costs[.accurate] = 40
    let events = stream.run(2)
    #expect(events.map(\.used) == [.balanced])
    // It was right for long before, so it is tried again after ten seconds, not after a minute.
    stream.costs[.accurate] = 15
    let next = stream.run(15)
    #expect(next.map(\.used) == [.accurate])
    #expect((next.first?.at ?? 0) - events[0].at >= 10)
  }

  @Test func lateFramesAreTrouble() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 15])
    stream.run(30)
    stream.lateFrames = 30
    #expect(stream.run(10).map(\.used) == [.balanced, .fast])
    // Below the cheapest there is nothing.
    #expect(stream.run(60).isEmpty)
  }

  /// As if another program used the processor, or a sink became slow.
  @Test(
    "tries a quality that fits by measurement but keeps failing less and less often",
    arguments: [6, 30])
  func failingQuality(lateFrames: Int) {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 28])
    stream.lateFrames = lateFrames
    stream.troubled = .balanced
    let events = stream.run(1800).filter { $0.used != nil }
    let tries = events.filter { $0.used == .balanced }.map(\.at)
    let ends = events.filter { $0.used == .fast }.map(\.at)
    #expect(tries.count == 6 && ends.count == 6, "\(events)")
    let waits = zip(ends, tries.dropFirst()).map { $1 - $0 }
    for (wait, least) in zip(waits, [60.0, 120, 240, 480, 480]) {
      #expect(wait >= least && wait < least + 12)
    }
    // A quality change is more visible than a few late frames, but less than a stuttering stream.
    for stay in zip(tries, ends).map({ $1 - $0 }) {
      #expect(lateFrames == 30 ? stay < 3 : stay >= 10 && stay < 13)
    }
  }

  @Test("counts trouble within a minute after a step up as its failure")
  func lateTrouble() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 28])
    stream.run(45)
    #expect(stream.control.current == .balanced)
    stream.lateFrames = 30
    stream.troubled = .balanced
    #expect(stream.run(3).map(\.used) == [.fast])
    stream.lateFrames = 0
    #expect(stream.run(55).isEmpty)
    #expect(stream.run(10).map(\.used) == [.balanced])
  }

  @Test func oneNetworkIsAllThereIs() {
    var stream = Stream([.fast: 40], qualities: [.fast])
    #expect(stream.run(30).isEmpty)
    #expect(stream.control.current == .fast)
  }

  /// Such a thread always works, and no frame is ever late.
  @Test func aStreamThatIsNotLiveKeepsTheDefault() {
    var stream = Stream([.fast: 5, .balanced: 40, .accurate: 140], isLive: false)
    #expect(stream.run(120).isEmpty)
    #expect(stream.control.current == .balanced)
    stream.lateFrames = 30
    #expect(stream.run(3).map(\.used) == [.fast])
    #expect(QualityControl(qualities: [.fast], isLive: false).current == .fast)
    #expect(QualityControl(qualities: [.accurate], isLive: false).current == .accurate)
  }

  @Test func aBudgetIsKept() {
    var stream = Stream([.fast: 1, .balanced: 6, .accurate: 15])
    // 11.7 ms of each 33.
    stream.budget.processorShare = 0.35
    stream.run(120)
    #expect(stream.control.current == .balanced)
    stream.budget.processorShare = 0.15
    #expect(stream.run(3).map(\.used) == [.fast])
  }

  @Test func nothingIsTriedWhereItIsNotWanted() {
    var stream = Stream([:])
    stream.mayRaise = false
    #expect(stream.run(30).isEmpty)
  }

  /// What failed for large frames may do for small ones.
  @Test func framesOfAnotherSizeAreJudgedAnew() {
    var stream = Stream([.fast: 1, .balanced: 30])
    #expect(stream.run(10).map(\.refused) == [.balanced])
    stream.costs[.balanced] = 6
    stream.control.noteNewFrames(at: stream.time)
    let events = stream.run(3.5)
    #expect(events.map(\.used) == [.balanced])
  }

  @Test func aNetworkThatIsNotToBeHadIsLeftOut() {
    var control = QualityControl(qualities: Quality.allCases, isLive: true)
    var seen: [Quality] = []
    for frame in UInt64(1)...1800 {
      _ = control.add(
        WorkSample(
          time: frame * Self.second / 30, frameInterval: Self.second / 30,
          work: 3 * Self.millisecond, processorTime: 0, inferred: true,
          inferenceTime: Self.millisecond, lateFrames: 0),
        budget: WorkBudget(processorShare: 0, isLive: true))
      guard let candidate = control.candidate else { continue }
      seen.append(candidate)
      control.excludeCandidate()
    }
    #expect(seen == [.balanced, .accurate])
    #expect(control.steps == (down: 0, count: 1))
  }
}
