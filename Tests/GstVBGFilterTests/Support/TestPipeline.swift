import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

/// A running pipeline: noise without a person, the filter, and a sink that the test reads.
///
/// With `effect=matte` all output is black, so any other pixel shows the room.
@safe final class TestPipeline {
  private let running: RunningPipeline
  private let stream: StreamFormat

  /// Makes a pipeline of `frames` frames.
  ///
  /// If `nil`, it is endless, and its sink drops frames that the test does not read.
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

  /// Changes the pipeline's state and waits for the end of the change.
  func change(to state: GstState) -> Bool {
    guard running.change(to: state) else { return false }
    let result = unsafe gst_element_get_state(pipeline, nil, nil, GstClockTime(20_000_000_000))
    return result == GST_STATE_CHANGE_SUCCESS
  }

  /// Runs `body` on another thread as soon as the filter begins to stop.
  ///
  /// The thread returns false if the filter does not stop.
  func onceItStops(_ body: @escaping @Sendable () -> Void) throws -> HelperThread<Bool> {
    // The thread takes ownership of the reference.
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

  /// Seeks to a time in seconds with a flush.
  func seek(to seconds: Int) -> Bool {
    unsafe gst_element_seek_simple(
      pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(seconds) * 1_000_000_000) != 0
  }

  /// Returns the maximum luma of the next output frame, or nil at the end of the stream.
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
