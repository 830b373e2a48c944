import CGStreamer
import CVBGFilter
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Plays a file of the room through the filter, and looks at each frame, and with an oracle at all that
/// leaves.
@safe final class RoomPlayer {
  /// What came next.
  enum Outcome { case frame, end, failure }

  let pipeline: RunningPipeline
  /// Frames that were looked at while the room was hidden, and that showed it while it was not.
  private(set) var (hiddenFrames, shownFrames) = (0, 0)
  /// What a frame that shows the room is told to be.
  var situation = ""
  private let sink: UnsafeMutablePointer<GstElement>
  private let pad: UnsafeMutablePointer<GstPad>
  private let output: StreamFormat
  private let oracle: PrivacyOracle
  private var showsRoom = false
  /// Whether things that left while the room was shown are in the oracle's log still.
  private var wasShown = false

  /// Opens a file; frames come in a format.
  init(_ file: RoomFile, _ container: RoomFile.Container, _ format: PixelFormat) throws {
    let frame = try RoomFile.stream().frameFormat
    output = try StreamFormat(format, width: frame.width, height: frame.height)
    var secrets = try RoomFile.room()
    secrets.formUnion(RoomFile.picture)
    oracle = PrivacyOracle(secrets)
    pipeline = try RunningPipeline(
      "filesrc location=\(file.path) ! \(container.elements[1]) name=demuxer "
        + "videoconvert name=next ! video/x-raw, format={I420, NV12} ! "
        + "vbgfilter name=filter model=good effect=color ! video/x-raw, format=\(format.name) ! "
        + "appsink name=sink sync=false max-buffers=1")
    unsafe sink = try pipeline.element("sink")
    unsafe pad = try #require(gst_element_get_static_pad(pipeline.filter, "src"))
    let (demuxer, next) = unsafe (try pipeline.element("demuxer"), try pipeline.element("next"))
    // At each start anew, which the link of a description is not. The pipeline owns both.
    let link:
      @convention(c) (UnsafeMutablePointer<GstElement>?, OpaquePointer?, gpointer?) -> Void = {
        demuxer, _, next in
        _ = unsafe gst_element_link(demuxer, next?.assumingMemoryBound(to: GstElement.self))
      }
    unsafe g_signal_connect_data(
      demuxer, "pad-added", unsafeBitCast(link, to: GCallback.self), next, nil, GConnectFlags(0))
    unsafe GStreamer.unref(demuxer)
    unsafe GStreamer.unref(next)
    unsafe oracle.watch(pad, pipeline.bus)
    try #require(pipeline.change(to: GST_STATE_PLAYING))
  }

  deinit {
    unsafe GStreamer.unref(pad)
    unsafe GStreamer.unref(sink)
  }

  /// Waits for a frame, the end of the stream or of its segment, or an error.
  func next() throws -> Outcome {
    try wait("neither a frame nor an end") { () -> Outcome? in
      if try takeFrame() { return .frame }
      let entry = unsafe UnsafeMutablePointer<GstAppSink>(OpaquePointer(sink))
      return switch pipeline.takeMessage(GST_MESSAGE_ERROR, GST_MESSAGE_SEGMENT_DONE) {
      case GST_MESSAGE_ERROR?: .failure
      case GST_MESSAGE_SEGMENT_DONE?: .end
      default: unsafe gst_app_sink_is_eos(entry) != 0 ? .end : nil
      }
    }
  }

  /// Seeks, and looks at what comes meanwhile; whether an element took it.
  func seek(
    rate: Double = 1, _ flags: GstSeekFlags, from start: UInt64? = nil, to stop: UInt64? = nil
  ) throws -> Bool {
    let seek = pipeline.seek(rate: rate, flags, from: start, to: stop)
    return try wait("no end of a seek") {
      if let answer = seek.join(upTo: .zero) { return answer }
      _ = try takeFrame()
      return nil
    }
  }

  /// Stops, to a state, and starts again with settings that can.
  func restart(by state: GstState) throws {
    try #require(pipeline.change(to: state))
    pipeline.forgetMessages()
    for (name, value) in [("model", "good"), ("background-path", ""), ("effect", "color")] {
      pipeline.set(name, value)
    }
    try #require(pipeline.change(to: GST_STATE_PLAYING))
  }

  /// Shows the room for some frames, hides it again, and throws away what is on its way by a flush.
  func showRoom(thenFrom start: UInt64) throws {
    showsRoom = true
    wasShown = true
    pipeline.set("active", "false")
    for _ in 0..<4 where try next() != .frame { break }
    pipeline.set("active", "true")
    if try !seek(GST_SEEK_FLAG_FLUSH, from: start) { try restart(by: GST_STATE_READY) }
    showsRoom = false
  }

  private func wait<Answer>(_ missing: String, for find: () throws -> Answer?) throws -> Answer {
    do {
      return try Patience.wait(for: find)
    } catch is Patience.IsOver {
      throw RunningPipeline.Stuck(description: "\(missing), \(situation)")
    }
  }

  private func takeFrame() throws -> Bool {
    let entry = unsafe UnsafeMutablePointer<GstAppSink>(OpaquePointer(sink))
    guard let sample = unsafe gst_app_sink_try_pull_sample(entry, 0) else { return false }
    defer { unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(sample)) }
    let buffer = unsafe try #require(gst_sample_get_buffer(sample))
    let frame = try RoomFile.stream().frameFormat
    let exposure = NoisyRoom.exposure(of: unsafe try output.planes(in: buffer, of: frame))
    if showsRoom {
      if exposure > 0.5 { shownFrames += 1 }
      return true
    }
    hiddenFrames += 1
    #expect(exposure < 0.25, "\(situation)")
    unsafe oracle.look(atKeptBy: pad)
    var departures = oracle.takeDepartures()[...]
    if wasShown, let flush = departures.lastIndex(where: { $0.kind == "segment" }) {
      // Only what came after the flush has been hidden.
      departures = departures[flush...]
    }
    wasShown = false
    #expect(departures.flatMap(\.sightings) == [], "\(situation)")
    return true
  }
}
