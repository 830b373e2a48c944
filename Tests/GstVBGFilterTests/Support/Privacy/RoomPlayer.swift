import CGStreamer
import PixelTypes
import TestSupport
import Testing
import Threads

@testable import GstVBGFilter

/// Plays a file of the room through the filter and examines all output with an oracle.
@safe final class RoomPlayer {
  /// The result of waiting for output.
  enum Outcome { case frame, end, failure }

  let pipeline: RunningPipeline
  /// A description of the current test step, for failure messages.
  var situation = ""
  /// The number of successful seeks without a flush.
  private(set) var seeksWithoutFlush = 0
  private let watch: Watch
  private let pad: UnsafeMutablePointer<GstPad>

  /// Opens a file.
  ///
  /// `format` is the output format.
  init(_ file: RoomFile, _ container: RoomFile.Container, _ format: PixelFormat) throws {
    watch = try Watch(format)
    // The pipeline reports the end of the stream once every sink has received it.
    pipeline = try RunningPipeline(
      "filesrc location=\(file.path) ! \(container.elements[1]) name=demuxer "
        + "videoconvert name=next ! video/x-raw, format={I420, NV12} ! "
        + "vbgfilter name=filter model=good effect=color ! video/x-raw, format=\(format.name) ! "
        + "fakesink sync=false")
    unsafe pad = try #require(gst_element_get_static_pad(pipeline.element("filter"), "src"))
    try linkAtEachStart()
    unsafe watch.begin(pad, pipeline.bus)
    try #require(pipeline.change(to: GST_STATE_PLAYING))
  }

  deinit {
    unsafe GStreamer.unref(pad)
  }

  /// The number of frames that were examined while the room was hidden.
  var hiddenFrames: Int { watch.record.current.hidden }
  /// The number of frames that showed the room while it was allowed.
  var shownFrames: Int { watch.record.current.shown }

  /// Waits for a frame, the end of the stream or of its segment, or an error.
  func next() throws -> Outcome {
    let before = watch.record.current.frames
    let outcome = try wait("neither a frame nor an end") { () -> Outcome? in
      if watch.record.current.frames > before { return .frame }
      let kind = pipeline.takeMessage(GST_MESSAGE_ERROR, GST_MESSAGE_EOS, GST_MESSAGE_SEGMENT_DONE)
      return kind.map { $0 == GST_MESSAGE_ERROR ? .failure : .end }
    }
    #expect(watch.takeSightings() == [], "\(situation)")
    return outcome
  }

  /// Seeks and returns whether an element handled the seek.
  ///
  /// It adds a flush if the seek would not return without one.
  func seek(
    rate: Double = 1, _ flags: GstSeekFlags, from start: UInt64, to stop: UInt64? = nil
  ) throws -> Bool {
    let isSafe = flags.rawValue & GST_SEEK_FLAG_FLUSH.rawValue != 0 || pipeline.settles
    let flags = isSafe ? flags : GstSeekFlags(flags.rawValue | GST_SEEK_FLAG_FLUSH.rawValue)
    let seek = pipeline.seek(rate: rate, flags, from: start, to: stop)
    let isTaken = try wait("no end of a seek") { seek.join(upTo: .zero) }
    if isTaken, flags.rawValue & GST_SEEK_FLAG_FLUSH.rawValue == 0 { seeksWithoutFlush += 1 }
    return isTaken
  }

  /// Stops in `state`, then starts again with settings that work.
  ///
  /// After an error, `next` returns `failure`.
  func restart(by state: GstState) throws {
    try #require(pipeline.stop(to: state))
    watch.noteStop()
    pipeline.forgetMessages()
    for (name, value) in [("model", "good"), ("background-path", ""), ("effect", "color")] {
      pipeline.set(name, value)
    }
    _ = pipeline.change(to: GST_STATE_PLAYING)
  }

  /// Pauses, seeks with a flush, and plays again.
  ///
  /// After an error, `next` returns `failure`.
  func pause(thenFrom start: UInt64) throws {
    _ = pipeline.change(to: GST_STATE_PAUSED)
    _ = try seek(GST_SEEK_FLAG_FLUSH, from: start)
    _ = pipeline.change(to: GST_STATE_PLAYING)
  }

  /// Shows the room for some frames, hides it again, and flushes the frames in progress.
  func showRoom(thenFrom start: UInt64) throws {
    watch.record.change { $0.phase = .shown }
    pipeline.set("active", "false")
    for _ in 0..<4 where try next() != .frame { break }
    pipeline.set("active", "true")
    watch.record.change { $0.phase = .untilFlush }
    if try !seek(GST_SEEK_FLAG_FLUSH, from: start) { try restart(by: GST_STATE_READY) }
  }

  private func wait<Answer>(_ missing: String, for find: () throws -> Answer?) throws -> Answer {
    do {
      return try Patience.wait(for: find)
    } catch is Patience.IsOver {
      // Record this before the pipeline ends, because the end may hang too.
      Issue.record("\(missing): \(situation)")
      throw RunningPipeline.Stuck(description: missing)
    }
  }

  /// Links the demuxer at each start.
  ///
  /// A pipeline description links a demuxer's pad only once.
  private func linkAtEachStart() throws {
    let (demuxer, next) = unsafe (try pipeline.element("demuxer"), try pipeline.element("next"))
    let link:
      @convention(c) (UnsafeMutablePointer<GstElement>?, OpaquePointer?, gpointer?) -> Void = {
        demuxer, _, next in
        _ = unsafe gst_element_link(demuxer, next?.assumingMemoryBound(to: GstElement.self))
      }
    unsafe g_signal_connect_data(
      demuxer, "pad-added", unsafeBitCast(link, to: GCallback.self), next, nil, GConnectFlags(0))
  }

  /// Watches the output of the filter on any thread.
  ///
  /// The record is under a lock, and the other properties are constant.
  @safe private final class Watch: @unchecked Sendable {
    /// Whether the room may be visible.
    ///
    /// After `shown`, frames in progress may show it until a flush.
    enum Phase { case hidden, shown, untilFlush }

    struct Record {
      var phase = Phase.hidden
      var (frames, hidden, shown) = (0, 0, 0)
      var exposures: [String] = []
    }

    let record = Monitor(Record())
    private let oracle: PrivacyOracle
    private let output: StreamFormat
    private let source: FrameFormat

    init(_ format: PixelFormat) throws {
      source = try RoomFile.stream().frameFormat
      output = try StreamFormat(format, width: source.width, height: source.height)
      var secrets = try RoomFile.room()
      secrets.formUnion(RoomFile.picture)
      oracle = PrivacyOracle(secrets)
    }

    /// Watches a source pad and a bus, which retain this object until they are destroyed.
    func begin(_ pad: UnsafeMutablePointer<GstPad>, _ bus: UnsafeMutablePointer<GstBus>) {
      unsafe oracle.watch(pad, bus)
      let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
      // The pad releases this reference.
      unsafe gst_pad_add_probe(
        pad, GstPadProbeType(types),
        { pad, info, data in
          guard let pad = unsafe pad, let info = unsafe info, let data = unsafe data else {
            return GST_PAD_PROBE_OK
          }
          let watch = unsafe Unmanaged<Watch>.fromOpaque(data).takeUnretainedValue()
          if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
            unsafe gst_pad_probe_info_get_buffer(info).map { unsafe watch.look(at: $0, pad) }
          } else if let event = unsafe gst_pad_probe_info_get_event(info),
            unsafe event.pointee.type == GST_EVENT_FLUSH_STOP
          {
            watch.noteStop()
          }
          return GST_PAD_PROBE_OK
        }, Unmanaged.passRetained(self).toOpaque(),
        { if let data = unsafe $0 { unsafe Unmanaged<Watch>.fromOpaque(data).release() } })
    }

    private func look(
      at buffer: UnsafeMutablePointer<GstBuffer>, _ pad: UnsafeMutablePointer<GstPad>
    ) {
      unsafe oracle.look(atKeptBy: pad)
      let picture = unsafe try? output.planes(in: buffer, of: source)
      let exposure = picture.map { NoisyRoom.exposure(of: $0) } ?? 1
      record.change {
        $0.frames += 1
        switch $0.phase {
        case .hidden:
          $0.hidden += 1
          if exposure >= 0.25 { $0.exposures.append("frame, with an exposure of \(exposure)") }
        case .shown, .untilFlush: if exposure > 0.5 { $0.shown += 1 }
        }
      }
    }

    /// Notes that no frames are in progress.
    func noteStop() {
      guard record.current.phase == .untilFlush else { return }
      _ = oracle.takeDepartures()
      record.change { $0.phase = .hidden }
    }

    /// Returns the places where a hidden room was visible since the last call.
    func takeSightings() -> [String] {
      record.withLock { record in
        guard record.phase == .hidden else { return [] }
        defer { record.exposures = [] }
        return record.exposures + oracle.takeSightings()
      }
    }
  }
}
