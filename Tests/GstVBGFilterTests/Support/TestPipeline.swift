import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// A running pipeline: a noisy picture without a person, the filter, and a sink that is looked into.
///
/// With `effect=matte` all that goes out is black; whatever is not black is room.
@safe final class TestPipeline {
  private let running: RunningPipeline
  private let stream: StreamFormat

  /// Makes a pipeline of so many frames, or an endless one that drops what nobody looks at.
  init(frames: Int? = nil) throws {
    stream = try StreamFormat(width: 160, height: 90)
    running = try RunningPipeline(
      "videotestsrc pattern=snow num-buffers=\(frames ?? -1) ! \(stream.caps) ! "
        + "vbgfilter name=filter model=good effect=matte ! "
        + "appsink name=sink sync=false max-buffers=2 drop=\(frames == nil)")
  }

  var pipeline: UnsafeMutablePointer<GstElement> { unsafe running.pipeline }
  var models: FakeModels { running.models }
  /// The Swift object behind the filter.
  var object: VBGFilterElement { running.object }

  /// Changes the pipeline's state and waits until it has done so.
  func change(to state: GstState) -> Bool {
    guard running.change(to: state) else { return false }
    let result = unsafe gst_element_get_state(pipeline, nil, nil, GstClockTime(20_000_000_000))
    return result == GST_STATE_CHANGE_SUCCESS
  }

  /// Does something, on a thread of its own, as soon as the filter has begun to stop; false when it
  /// does not begin.
  func onceItStops(_ body: @escaping @Sendable () -> Void) throws -> HelperThread<Bool> {
    // The thread takes the reference over.
    let address = unsafe UInt(
      bitPattern: gst_element_get_static_pad(try running.element("filter"), "sink"))
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
    guard let buffer = unsafe try running.pull() else { return nil }
    defer { unsafe GStreamer.unrefMini(buffer) }
    let picture = unsafe try stream.picture(in: buffer)
    var greatest = 0
    for y in 0..<picture.format.height {
      for x in 0..<picture.format.width { greatest = max(greatest, picture.luma(x, y)) }
    }
    return greatest
  }
}
