import CGStreamer
import CGStreamerCheck
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// What is told of a stream that is too fast for the machine.
@Suite struct OverloadTests {
  private static let frame: UInt64 = 33_333_333
  private static let millisecond: UInt64 = 1_000_000

  /// Returns the overloads that `watch` finds at 30 frames per second.
  ///
  /// Only one of `frames` frames is processed: it takes `work` and `blocked` nanoseconds. `missing`
  /// and `late` are the numbers of lost frames per processed frame.
  private func overloads(
    in seconds: UInt64, from start: UInt64 = 0, work: UInt64, blocked: UInt64 = 0,
    missing: Int = 0, late: Int = 0, every frames: UInt64 = 1, _ watch: inout OverloadWatch
  ) -> [OverloadWatch.Overload] {
    var found: [OverloadWatch.Overload] = []
    for index in 0...seconds * 1_000_000_000 / (Self.frame * frames) {
      watch.noteMissing(missing)
      for _ in 0..<late { watch.noteLate() }
      watch.noteBlocked(blocked)
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
    #expect(found.first?.cause == .work && found.first?.time == 30 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 30) < 2 } == true)
    var other = OverloadWatch()
    #expect(overloads(in: 1, work: 30 * Self.millisecond, missing: 1, &other).isEmpty)
  }

  /// GStreamer drops many frames after a late one, so that the thread rests.
  @Test func framesThatAreDroppedForBeingLateCountWhileTheThreadRests() {
    var watch = OverloadWatch()
    let found = overloads(in: 5, work: 150 * Self.millisecond, late: 19, every: 20, &watch)
    #expect(found.first?.cause == .work && found.first?.time == 150 * Self.millisecond)
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

  /// Each output frame takes the time of three input frames: 20 ms of work, and 75 ms in a sink.
  @Test("distinguishes frames lost to a blocking sink from frames lost to work")
  func blockingDownstream() {
    var watch = OverloadWatch()
    let found = overloads(
      in: 3, work: 20 * Self.millisecond, blocked: 75 * Self.millisecond, missing: 2, every: 3,
      &watch)
    #expect(found.first?.cause == .downstream && found.first?.time == 75 * Self.millisecond)
    #expect(found.first.map { abs($0.lostFrames - 20) < 2 } == true)
  }

  @Test("does not blame a sink if no frame is lost or the thread is partly idle")
  func harmlessBlocking() {
    var watch = OverloadWatch()
    #expect(
      overloads(in: 10, work: 8 * Self.millisecond, blocked: 25 * Self.millisecond, &watch).isEmpty)
    watch = OverloadWatch()
    #expect(
      overloads(
        in: 10, work: 20 * Self.millisecond, blocked: 10 * Self.millisecond, missing: 2, every: 3,
        &watch
      ).isEmpty)
  }

  @Test("does not blame a sink that blocks once")
  func blockingOnce() {
    var watch = OverloadWatch()
    for second: UInt64 in 0..<4 {
      let isBlocked = second == 1
      #expect(
        overloads(
          in: 1, from: second, work: 20 * Self.millisecond,
          blocked: isBlocked ? 75 * Self.millisecond : 0, missing: isBlocked ? 2 : 0,
          every: isBlocked ? 3 : 1, &watch
        ).isEmpty)
    }
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

  /// Makes downstream block the filter's thread for `blocked` nanoseconds per buffer.
  private func block(_ filter: TestFilter, _ clock: TestClock, for blocked: UInt64) throws {
    final class Sink {
      let clock: TestClock
      let blocked: UInt64
      init(_ clock: TestClock, _ blocked: UInt64) { (self.clock, self.blocked) = (clock, blocked) }
    }
    let pad = unsafe try #require(gst_element_get_static_pad(filter.element, "src"))
    defer { unsafe GStreamer.unref(pad) }
    _ = unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { _, _, data in
        if let data = unsafe data {
          let sink = unsafe Unmanaged<Sink>.fromOpaque(data).takeUnretainedValue()
          sink.clock.pass(sink.blocked)
        }
        return GST_PAD_PROBE_OK
      },
      Unmanaged.passRetained(Sink(clock, blocked)).toOpaque(),
      { data in if let data = unsafe data { unsafe Unmanaged<Sink>.fromOpaque(data).release() } })
  }

  @Test("suggests a queue after the element once if a waiting sink costs frames")
  func blockingIsReported() throws {
    let (filter, clock) = try makeFilter()
    filter.models.change("good") { $0.work = { clock.compute(10 * Self.millisecond) } }
    try block(filter, clock, for: 90 * Self.millisecond)
    for index in 0..<100 { _ = try filter.process(time: UInt64(index) * 3 * Self.frame) }
    let messages = filter.messages()
    #expect(messages.map(\.kind) == [.warning])
    #expect(messages.first?.isResource(GST_RESOURCE_ERROR_SETTINGS) == true)
    let text = messages.first?.text ?? ""
    #expect(text.contains("20 frames a second are lost") && text.contains("for 90 ms"), "\(text)")
    #expect(text.contains("queue max-size-bytes=0"), "\(text)")
  }

  @Test("does not warn of a blocking sink if the source is not live")
  func blockingOfOtherSources() throws {
    let (filter, clock) = try makeFilter()
    filter.models.change("good") { $0.work = { clock.compute(10 * Self.millisecond) } }
    filter.start()
    unsafe gst_harness_set_live(filter.harness, 0)
    try block(filter, clock, for: 90 * Self.millisecond)
    for index in 0..<100 { _ = try filter.process(time: UInt64(index) * 3 * Self.frame) }
    #expect(filter.messages().isEmpty)
  }

  /// A live source, a leaky queue, and a sink with a delay longer than the queue.
  @Test(
    "warns of a blocking sink only without a queue after the element",
    arguments: [true, false]
  )
  func queueBehind(hasQueue: Bool) throws {
    let pipeline = try RunningPipeline(
      "videotestsrc is-live=true ! video/x-raw,format=NV12,width=160,height=90,framerate=60/1 ! "
        + "queue leaky=downstream max-size-buffers=2 ! "
        + "vbgfilter name=filter effect=color model=good ! "
        + (hasQueue ? "queue max-size-bytes=0 ! " : "") + "fakesink sync=true ts-offset=200000000")
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    var warnings = 0
    try Patience.wait {
      warnings += unsafe BusMessage.takeAll(from: pipeline.bus).count {
        $0.text.contains("queue max-size-bytes=0")
      }
      return hasQueue ? pipeline.object.statistics.current.framesOut > 200 : warnings > 0
    }
    #expect(warnings == (hasQueue ? 0 : 1))
  }

  /// What can still be lowered will be, without a word.
  @Test func itIsNotToldWhileLessIsPossible() throws {
    let (filter, clock) = try makeFilter(["adaptive": "true"])
    try run(filter, clock, frames: 40)
    #expect(filter.messages().isEmpty)
  }
}
