import CGStreamer
import Testing

@testable import GstVBGFilter

/// The element's response to late frames, and its statistics.
@Suite struct LoadTests {
  private static let frame: UInt64 = 33_333_333
  private static let millisecond: UInt64 = 1_000_000
  /// A lateness of more than an eighth of the interval between two frames of `run`, and less than
  /// all of it.
  private static let late: Int64 = 10_000_000

  private let clock = TestClock()

  /// Makes an element with this test's clock and an inference in every frame.
  ///
  /// Each inference takes 3 ms on the streaming thread.
  private func makeFilter(_ properties: [String: String] = [:]) throws -> TestFilter {
    let filter = try TestFilter(properties.with(["inference": "every-frame"]))
    filter.object.clock = clock.clock
    filter.models.change("good") { [clock] in
      $0.work = { clock.compute(3 * Self.millisecond) }
    }
    return filter
  }

  /// Pushes frames at the pace of the test clock until `condition` holds.
  ///
  /// - Returns: the index of the next frame.
  private func run(
    _ filter: TestFilter, from first: UInt64 = 0, lateBy lateness: Int64? = nil,
    until condition: () throws -> Bool
  ) throws -> UInt64 {
    var frame = first
    repeat {
      try #require(frame < first + 2000, "waited in vain")
      #expect(Room.visiblePart(of: try filter.process(time: frame * Self.frame)) < 0.01)
      if let lateness { filter.report(lateness: lateness, ofFrameAt: frame * Self.frame) }
      // After this report, the element drops frames for a short time. The next frame must come
      // later.
      frame += 2
      clock.pass(2 * Self.frame)
    } while try !condition()
    return frame
  }

  @Test func lateFramesLowerTheRateAndSpareTimeRaisesItAgain() throws {
    let filter = try makeFilter(["adaptive": "true"])
    let frame = try run(filter, lateBy: Self.late) {
      try filter.statistic("adaptive-level") == 2
    }
    #expect(try filter.statistic("inference-interval") == 3)
    let inferences = filter.models.inferences
    let steps = filter.messages(of: GST_MESSAGE_QOS)
    #expect(steps.count == 2)
    #expect(steps.last?.contains("quality=(int)333333") == true)
    _ = try run(filter, from: frame) { try filter.statistic("adaptive-level") == 0 }
    #expect(filter.models.inferences > inferences)
    #expect(filter.messages(of: GST_MESSAGE_QOS).last?.contains("quality=(int)1000000") == true)
  }

  /// OpenVINO's own threads work on an inference that has several threads, or whose network is
  /// shared.
  @Test("counts the CPU time of other threads in cpu-share")
  func countsOtherThreads() throws {
    let filter = try makeFilter()
    filter.models.change("good") { $0.helperTime = 17 * Self.millisecond }
    var frames = 0
    _ = try run(filter) {
      frames += 1
      return frames == 60
    }
    // A frame costs 3 + 17 ms of CPU time. The interval between frames is 66.7 ms, plus the 3 ms by
    // which the inference advances the clock.
    let expected = 20 / (66.667 + 3)
    #expect(abs(try filter.statisticFraction("cpu-share") - expected) < 0.02)
  }

  @Test func aBudgetThatOtherThreadsExceedLowersTheRate() throws {
    let filter = try makeFilter(["adaptive": "true", "cpu-budget": "0.25"])
    // The streaming thread alone stays within the budget.
    var frames = 0
    var frame = try run(filter) {
      frames += 1
      return frames == 60
    }
    #expect(try filter.statistic("adaptive-level") == 0)
    filter.models.change("good") { $0.helperTime = 17 * Self.millisecond }
    frame = try run(filter, from: frame) { try filter.statistic("adaptive-level") > 0 }
    filter.set("cpu-budget", "0")
    _ = try run(filter, from: frame) { try filter.statistic("adaptive-level") == 0 }
  }

  /// A late frame is dropped before any work.
  ///
  /// It counts in `frames-in` and in `dropped`.
  @Test func lateFramesAreDroppedBeforeWork() throws {
    let filter = try TestFilter()
    _ = try filter.process(time: 0)
    filter.report(lateness: 200_000_000, ofFrameAt: 0)
    for frame in UInt64(1)...5 {
      #expect(filter.pushRoom(time: frame * Self.frame) == GST_FLOW_OK)
      #expect(try filter.pull() == nil)
    }
    #expect(filter.models.inferences == 1)
    #expect(try filter.statistic("dropped") == 5)
    #expect(try filter.statistic("frames-in") == 6)
    #expect(filter.messages(of: GST_MESSAGE_QOS).count == 5)
  }

  /// A late frame counts as dropped even if it should pass through, because it is not sent.
  @Test(arguments: [nil, "video/x-raw, format=RGBA"])
  func latePassthroughFramesCountAsDropped(_ sink: String?) throws {
    let filter = try TestFilter(sink: sink, ["effect": "none"])
    #expect(filter.pushRoom(time: 0) == GST_FLOW_OK)
    #expect(try filter.statistic("frames-out") == 1)
    filter.report(lateness: 200_000_000, ofFrameAt: 0)
    for frame in UInt64(1)...5 {
      #expect(filter.pushRoom(time: frame * Self.frame) == GST_FLOW_OK)
    }
    #expect(filter.pushRoom(time: 1_000_000_000) == GST_FLOW_OK)
    #expect(try filter.statistic("frames-in") == 7)
    #expect(try filter.statistic("frames-out") == 2)
    #expect(try filter.statistic("dropped") == 5)
  }

  @Test func statisticsArePostedAtTheirInterval() throws {
    let filter = try makeFilter(["stats-interval": "100"])
    for _ in 0..<200 {
      _ = try filter.process()
      clock.pass(2 * Self.millisecond)
    }
    // There is a frame every 5 ms for a second. The first message reports the settings in use.
    let posted = filter.messages(of: GST_MESSAGE_ELEMENT)
    #expect(posted.first?.hasPrefix("vbgfilter-in-use") == true)
    #expect(posted.count == 10)
    #expect(posted.dropFirst().allSatisfy { $0.hasPrefix("vbgfilter-stats") })
    // Messages that were due in a pause are not posted later.
    clock.pass(5_000 * Self.millisecond)
    for _ in 0..<3 { _ = try filter.process() }
    #expect(filter.messages(of: GST_MESSAGE_ELEMENT).count == 1)
    filter.set("stats-interval", "0")
    for _ in 0..<50 {
      _ = try filter.process()
      clock.pass(2 * Self.millisecond)
    }
    #expect(filter.messages(of: GST_MESSAGE_ELEMENT).isEmpty)
  }

  @Test func statisticsContainThePerson() throws {
    let filter = try makeFilter()
    #expect(try !filter.statisticFlag("person-present"))
    _ = try filter.process()
    #expect(try filter.statisticFlag("person-present"))
    // The person covers half of these pictures.
    #expect(abs(try filter.statisticFraction("matte-coverage") - 0.5) < 0.05)
    _ = try run(filter) { try filter.statisticFraction("inference-rate") > 0 }
    #expect(try filter.statisticFraction("cpu-share") > 0)
  }

  @Test func aRateCoversTheLastSecond() {
    var rate = Rate()
    for tick in UInt64(0)...20 { rate.add(1, at: tick * 100_000_000) }
    #expect(rate.perSecond == 10)
    rate.add(0, at: 7_000_000_000)
    #expect(rate.perSecond < 1)
  }
}
