import CGStreamer
import CGStreamerCheck
import TestSupport
import Testing

@testable import GstVBGFilter

/// Messages about a stream that is too fast for the machine.
@Suite struct OverloadTests {
  private static let frame: UInt64 = 33_333_333
  private static let millisecond: UInt64 = 1_000_000

  /// Makes a live stream in which an inference takes 40 ms and every second frame is lost.
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

  @Test func aTooSlowStreamIsReportedOnceWithARemedy() throws {
    let (filter, clock) = try makeFilter()
    try run(filter, clock, frames: 200)
    filter.messages().expectOne(
      .warning, "15 frames per second are lost", "takes 40 ms",
      "inference=when-needed or adaptive=true, or scale", code: GST_RESOURCE_ERROR_BUSY)
    #expect(try filter.statistic("adaptive-level") == 0)
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

  @Test(
    "suggests a queue after the element once if a waiting sink costs frames of a live source",
    arguments: [true, false])
  func blockingIsReported(isLive: Bool) throws {
    let (filter, clock) = try makeFilter()
    filter.models.change("good") { $0.work = { clock.compute(10 * Self.millisecond) } }
    filter.start()
    unsafe gst_harness_set_live(filter.harness, isLive ? 1 : 0)
    try block(filter, clock, for: 90 * Self.millisecond)
    for index in 0..<100 { _ = try filter.process(time: UInt64(index) * 3 * Self.frame) }
    let messages = filter.messages()
    if !isLive {
      #expect(messages.isEmpty)
      return
    }
    messages.expectOne(
      .warning, "20 frames per second are lost", "for 90 ms", "queue max-size-bytes=0",
      code: GST_RESOURCE_ERROR_SETTINGS)
  }

  /// A live source, a leaky queue, and a sink with a delay longer than the queue.
  @Test(
    "warns of a blocking sink only without a queue after the element", arguments: [true, false])
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

  /// If the element can still reduce its load, it does so without a warning.
  @Test func nothingIsReportedWhileTheLoadCanBeReduced() throws {
    let (filter, clock) = try makeFilter(["adaptive": "true"])
    try run(filter, clock, frames: 40)
    #expect(filter.messages().isEmpty)
  }
}
