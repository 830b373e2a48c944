import CGStreamer
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// What is told of a stream that is too fast for the machine.
@Suite struct OverloadTests {
  private static let frame: UInt64 = 33_333_333
  private static let millisecond: UInt64 = 1_000_000

  /// Frames that take so long at 30 a second; so many of each are missing, or late.
  private func overloads(
    in seconds: UInt64, from start: UInt64 = 0, work: UInt64, missing: Int = 0, late: Int = 0,
    every frames: UInt64 = 1, _ watch: inout OverloadWatch
  ) -> [OverloadWatch.Overload] {
    var found: [OverloadWatch.Overload] = []
    for index in 0...seconds * 1_000_000_000 / (Self.frame * frames) {
      watch.noteMissing(missing)
      for _ in 0..<late { watch.noteLate() }
      let overload = watch.note(
        work: work, frameDuration: Self.frame,
        at: start * 1_000_000_000 + index * Self.frame * frames)
      if let overload { found.append(overload) }
    }
    return found
  }

  @Test func twoBadSecondsAreTooMuch() {
    var watch = OverloadWatch()
    let found = overloads(in: 3, work: 30 * Self.millisecond, missing: 1, &watch)
    #expect(found.first?.work == 30 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 30) < 2 } == true)
    var other = OverloadWatch()
    #expect(overloads(in: 1, work: 30 * Self.millisecond, missing: 1, &other).isEmpty)
  }

  /// GStreamer drops many frames after a late one, so that the thread rests.
  @Test func framesThatAreDroppedForBeingLateCountWhileTheThreadRests() {
    var watch = OverloadWatch()
    let found = overloads(in: 5, work: 150 * Self.millisecond, late: 19, every: 20, &watch)
    #expect(found.first?.work == 150 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 28.5) < 2 } == true)
  }

  /// A camera in the dark, another slow element, and work that loses no frame.
  @Test func whatIsNotLostToTheWorkIsNoOverload() {
    var watch = OverloadWatch()
    #expect(
      overloads(in: 10, work: 25 * Self.millisecond, missing: 1, every: 2, &watch).isEmpty)
    watch = OverloadWatch()
    #expect(overloads(in: 10, work: 10 * Self.millisecond, late: 1, every: 2, &watch).isEmpty)
    watch = OverloadWatch()
    #expect(overloads(in: 10, work: 33 * Self.millisecond, &watch).isEmpty)
  }

  @Test func aPauseBeginsAnew() {
    var watch = OverloadWatch()
    for second: UInt64 in 0..<4 {
      watch.restart()
      #expect(
        overloads(in: 1, from: 2 * second, work: 30 * Self.millisecond, missing: 1, &watch)
          .isEmpty)
    }
  }

  /// A live stream, as all of the harness, in which an inference takes 40 ms and each second frame is
  /// lost.
  private func makeFilter(_ properties: [String: String] = [:]) throws -> (TestFilter, TestClock) {
    let clock = TestClock()
    let filter = try TestFilter(properties.with(["inference": "every-frame"]))
    filter.object.clock = clock.clock
    filter.models.change("good") { $0.work = { clock.compute(40 * Self.millisecond) } }
    return (filter, clock)
  }

  private func run(_ filter: TestFilter, _ clock: TestClock, frames: UInt64) throws {
    for index in 0..<frames {
      _ = try filter.process(time: index * 2 * Self.frame)
      clock.pass(2 * Self.frame - 40 * Self.millisecond)
    }
  }

  @Test func itIsToldOnceWithWhatHelps() throws {
    let (filter, clock) = try makeFilter()
    try run(filter, clock, frames: 200)
    let messages = filter.messages()
    #expect(messages.map(\.kind) == [.warning])
    #expect(messages.first?.isResource(GST_RESOURCE_ERROR_BUSY) == true)
    let text = messages.first?.text ?? ""
    #expect(text.contains("15 frames a second are lost") && text.contains("takes 40 ms"), "\(text)")
    #expect(text.contains("inference=when-needed or adaptive=true, or scale"), "\(text)")
  }

  /// What can still be lowered will be, without a word.
  @Test func itIsNotToldWhileLessIsPossible() throws {
    let (filter, clock) = try makeFilter(["adaptive": "true"])
    try run(filter, clock, frames: 40)
    #expect(filter.messages().isEmpty)
  }
}
