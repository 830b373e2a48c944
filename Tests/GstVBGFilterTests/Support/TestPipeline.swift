import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// A running pipeline: a noisy picture without a person, the filter, and a sink that is looked into.
///
/// With `effect=matte` all that goes out is black; whatever is not black is room.
@safe final class TestPipeline {
  let pipeline: UnsafeMutablePointer<GstElement>
  let models = FakeModels()
  private let filter: UnsafeMutablePointer<GstElement>
  private let sink: UnsafeMutablePointer<GstElement>
  private let stream: StreamFormat

  /// Makes a pipeline of so many frames, or an endless one that drops what nobody looks at.
  init(frames: Int? = nil) throws {
    stream = try StreamFormat(width: 160, height: 90)
    let description =
      "videotestsrc pattern=snow num-buffers=\(frames ?? -1) ! \(stream.caps) ! "
      + "vbgfilter name=filter model=good effect=matte ! "
      + "appsink name=sink sync=false max-buffers=2 drop=\(frames == nil)"
    unsafe pipeline = try #require(gst_parse_launch(description, nil))
    let bin = unsafe UnsafeMutablePointer<GstBin>(OpaquePointer(pipeline))
    unsafe filter = try #require(gst_bin_get_by_name(bin, "filter"))
    unsafe sink = try #require(gst_bin_get_by_name(bin, "sink"))
    object.modelLoader = models
  }

  deinit {
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    unsafe GStreamer.unref(sink)
    unsafe GStreamer.unref(filter)
    unsafe GStreamer.unref(pipeline)
  }

  /// The Swift object behind the filter.
  var object: VBGFilterElement {
    guard let object = unsafe VBGFilterElement.behind(filter) else {
      preconditionFailure("vbgfilter was made by another plugin")
    }
    return object
  }

  /// Changes the pipeline's state and waits until it has done so.
  func change(to state: GstState) -> Bool {
    guard unsafe gst_element_set_state(pipeline, state) != GST_STATE_CHANGE_FAILURE else {
      return false
    }
    let result = unsafe gst_element_get_state(pipeline, nil, nil, GstClockTime(20_000_000_000))
    return result == GST_STATE_CHANGE_SUCCESS
  }

  /// Does something, on a thread of its own, as soon as the filter has begun to stop; false when it
  /// does not begin.
  func onceItStops(_ body: @escaping @Sendable () -> Void) -> HelperThread<Bool> {
    // The thread takes the reference over.
    let address = unsafe UInt(bitPattern: gst_element_get_static_pad(filter, "sink"))
    return HelperThread {
      guard let pad = unsafe UnsafeMutablePointer<GstPad>(bitPattern: address) else { return false }
      defer { unsafe GStreamer.unref(pad) }
      let stops: Void? = try? Patience.wait { unsafe gst_pad_is_active(pad) == 0 }
      body()
      return stops != nil
    }
  }

  /// Jumps to a time in seconds, throwing away what is on its way.
  func seek(to seconds: Int) -> Bool {
    unsafe gst_element_seek_simple(
      pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(seconds) * 1_000_000_000) != 0
  }

  /// The greatest luma of the next frame that comes out; nil at the end of the stream.
  func pullGreatestLuma() throws -> Int? {
    let sink = unsafe UnsafeMutablePointer<GstAppSink>(OpaquePointer(self.sink))
    guard
      let sample = unsafe gst_app_sink_try_pull_sample(sink, GstClockTime(20_000_000_000))
    else {
      try #require(unsafe gst_app_sink_is_eos(sink) != 0, "waited in vain")
      return nil
    }
    defer { unsafe GStreamer.unrefMini(UnsafeMutablePointer<GstMiniObject>(sample)) }
    let picture = unsafe try stream.picture(in: try #require(gst_sample_get_buffer(sample)))
    var greatest = 0
    for y in 0..<picture.format.height {
      for x in 0..<picture.format.width { greatest = max(greatest, picture.luma(x, y)) }
    }
    return greatest
  }
}
