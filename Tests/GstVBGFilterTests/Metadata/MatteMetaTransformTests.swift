import CGStreamer
import CVBGFilter
import Testing

@testable import GstVBGFilter

/// Elements that keep the matte with the picture, and elements that drop it.
@Suite struct MatteMetaTransformTests {
  /// The elements after the filter, and whether the matte reaches the end.
  static let branches: [(String, Bool)] = [
    ("identity", true),
    ("queue", true),
    ("tee ! queue ! identity drop-probability=0", true),
    ("videoconvert ! video/x-raw,format=RGBA", true),
    ("videoscale ! video/x-raw,width=160,height=90", true),
    ("videoscale ! video/x-raw,width=1280,height=720", true),
    // Rounding changes the proportions slightly.
    ("videoscale ! video/x-raw,width=427,height=240,pixel-aspect-ratio=1/1", true),
    // The same proportions with non-square pixels.
    ("videoscale ! video/x-raw,width=160,height=180", true),
    ("videoconvert ! video/x-raw,format=I420 ! videoscale ! video/x-raw,width=640", true),
    // With borders, and with a crop.
    ("videoscale ! video/x-raw,width=180,height=180,pixel-aspect-ratio=1/1", false),
    ("videocrop left=40", false),
  ]

  @Test(arguments: branches)
  func theMatteFollowsThePicture(_ branch: String, _ isKept: Bool) throws {
    let pipeline = try RunningPipeline(
      "videotestsrc num-buffers=3 ! video/x-raw,format=NV12,width=320,height=180,framerate=30/1 ! "
        + "vbgfilter name=filter model=good attach-matte=true ! \(branch) ! appsink name=sink")
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    for index in 0..<3 {
      let buffer = unsafe try #require(pipeline.pull())
      defer { unsafe GStreamer.unrefMini(buffer) }
      let matte = unsafe try AttachedMatte(of: buffer)
      #expect((matte != nil) == isKept)
      guard let matte else { continue }
      #expect((matte.frameWidth, matte.frameHeight, matte.width) == (320, 180, 160))
      #expect(matte.pts == GstClockTime(index) * 1_000_000_000 / 30)
    }
  }

  /// GST_BUFFER_COPY_ALL, which Swift cannot import: flags, times, metas and memory.
  private static let everything = GstBufferCopyFlags(rawValue: 1 | 2 | 4 | 8)

  @Test func onlyACopyOfTheWholeBufferHasTheMatte() throws {
    let filter = try TestFilter(["attach-matte": "true"])
    let buffer = unsafe try filter.output(of: filter.makeBuffer())
    let matte = unsafe try #require(try AttachedMatte(of: buffer))
    let size = unsafe gst_buffer_get_size(buffer)
    let copies = unsafe (
      try #require(gst_buffer_copy_region(buffer, Self.everything, 0, size)),
      try #require(gst_buffer_copy_deep(buffer))
    )
    let part = unsafe try #require(gst_buffer_copy_region(buffer, Self.everything, 0, size / 2))
    defer { unsafe GStreamer.unrefMini(part) }
    #expect(unsafe try AttachedMatte(of: part) == nil)
    // The copies keep the matte after the original is freed.
    unsafe GStreamer.unrefMini(buffer)
    #expect(unsafe try AttachedMatte(of: copies.0) == matte)
    unsafe GStreamer.unrefMini(copies.0)
    #expect(unsafe try AttachedMatte(of: copies.1) == matte)
    unsafe GStreamer.unrefMini(copies.1)
  }

  /// Applications look up the API and the meta by name.
  @Test func theTypeIsKnownByItsNameAndDependsOnSizeAndOrientation() throws {
    GStreamer.prepare()
    let api = unsafe g_type_from_name(GST_VBG_MATTE_META_API_NAME)
    #expect(api != 0)
    let info = unsafe try #require(gst_meta_get_info("GstVBGMatteMeta"))
    #expect(unsafe info.pointee.api == api)
    for tag in ["video", "size", "orientation"] {
      #expect(unsafe gst_meta_api_type_has_tag(api, g_quark_from_string(tag)) != 0)
    }
    #expect(unsafe gst_meta_api_type_has_tag(api, g_quark_from_string("colorspace")) == 0)
  }
}
