import CGStreamer
import CVBGFilter
import TestSupport
import Testing

@testable import GstVBGFilter

/// A film of `NoisyRoom` with a cover picture, as a QuickTime file of raw frames.
struct NoisyFile {
  let stream: StreamFormat
  let cover = CoverPicture(seed: 21)
  let path: String
  private let folder: TemporaryFolder

  /// Writes so many frames.
  init(frames: Int, width: Int, height: Int) throws {
    stream = try StreamFormat(.i420, width: width, height: height)
    folder = TemporaryFolder()
    path = folder.path + "/film.mov"
    let pipeline = try RunningPipeline(
      "appsrc name=source format=time caps=\"\(stream.caps)\" ! videoconvert ! "
        + "video/x-raw, format=UYVY ! qtmux ! filesink location=\(path)")
    let source = unsafe try pipeline.element("source")
    defer { unsafe GStreamer.unref(source) }
    try #require(
      unsafe gst_element_send_event(source, try PictureEvent.image.make(cover)) != 0)
    try #require(pipeline.change(to: GST_STATE_PLAYING, waits: false))
    let entry = unsafe UnsafeMutablePointer<GstAppSrc>(OpaquePointer(source))
    for frame in 0..<frames {
      let buffer = unsafe try stream.makeNoisyBuffer(FrameLayout(isDescribed: false))
      unsafe buffer.pointee.pts = GstClockTime(frame) * 33_333_333
      unsafe buffer.pointee.duration = 33_333_333
      try #require(unsafe gst_app_src_push_buffer(entry, buffer) == GST_FLOW_OK)
    }
    unsafe gst_app_src_end_of_stream(entry)
    try pipeline.waitForEnd()
  }

  /// What of the film must not leave.
  var secrets: Secrets {
    var secrets = NoisyRoom.secrets(of: stream.frameFormat)
    secrets.insert(cover.bytes)
    return secrets
  }

  /// Elements that hand out the film's frames, and the picture in its tags.
  var source: String {
    "filesrc location=\(path) ! qtdemux ! videoconvert ! video/x-raw, format=NV12"
  }
}

/// A pipeline of a description; it ends with this object.
@safe final class RunningPipeline {
  private let pipeline: UnsafeMutablePointer<GstElement>

  init(_ description: String) throws {
    GStreamer.prepare()
    unsafe pipeline = try #require(gst_parse_launch(description, nil))
  }

  deinit {
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    unsafe GStreamer.unref(pipeline)
  }

  /// An element by its name, which the caller owns.
  func element(_ name: String) throws -> UnsafeMutablePointer<GstElement> {
    let bin = unsafe UnsafeMutablePointer<GstBin>(OpaquePointer(pipeline))
    return unsafe try #require(gst_bin_get_by_name(bin, name))
  }

  /// The bus, which the caller owns.
  func bus() throws -> UnsafeMutablePointer<GstBus> {
    unsafe try #require(gst_element_get_bus(pipeline))
  }

  /// Changes the state, and waits until that is done; false when it fails.
  func change(to state: GstState, waits: Bool = true) -> Bool {
    guard unsafe gst_element_set_state(pipeline, state) != GST_STATE_CHANGE_FAILURE else {
      return false
    }
    if !waits { return true }
    return unsafe gst_element_get_state(pipeline, nil, nil, GstClockTime(60_000_000_000))
      == GST_STATE_CHANGE_SUCCESS
  }

  /// Jumps to a time in nanoseconds.
  func seek(to time: UInt64) -> Bool {
    unsafe gst_element_seek_simple(
      pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(time)) != 0
  }

  /// Waits for the end of the stream; an error fails the test.
  func waitForEnd() throws {
    let bus = unsafe try bus()
    defer { unsafe GStreamer.unref(bus) }
    let kinds = GstMessageType(
      GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    let message = unsafe try #require(
      gst_bus_timed_pop_filtered(bus, GstClockTime(60_000_000_000), kinds), "waited in vain")
    defer { unsafe GStreamer.unrefMini(message) }
    try #require(unsafe message.pointee.type == GST_MESSAGE_EOS)
  }
}
