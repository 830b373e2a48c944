import CGStreamer
import Glibc
import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Videos that cannot be played to their end, and servers that do not answer.
@Suite struct BackgroundFaultTests {
  private let folder = TemporaryFolder()

  /// Returns the offsets of the PNG data of all pictures in a file.
  private static func dataOffsets(_ bytes: [UInt8]) -> [Int] {
    let name = Array("IDAT".utf8)
    return bytes.indices.filter { bytes[$0] == name[0] && bytes[$0...].starts(with: name) }
  }

  @Test func afterAnErrorInTheMiddleTheLastPictureStaysWithOneWarning() throws {
    let video = StoredVideo(lumas: StoredVideo.lumas(12))
    var bytes = try video.encoded(as: .png)
    let offsets = Self.dataOffsets(bytes)
    try #require(offsets.count == 12)
    for index in 4..<20 { bytes[offsets[5] + index] = 0xFF }
    let path = folder.write("broken.mov", bytes)
    let filter = try TestFilter(["background-path": path])
    try filter.wait(for: 0..<5, of: video, tolerance: 2)
    var messages: [BusMessage] = []
    try Patience.wait(until: {
      try filter.expect(video.lumas[4], at: 5 * video.interval, tolerance: 2)
      messages = filter.messages()
      return !messages.isEmpty
    })
    for index: UInt64 in 6..<60 {
      try filter.expect(video.lumas[4], at: index * video.interval, tolerance: 2)
    }
    // The picture also fits frames of another size.
    try filter.renegotiate(width: 180, height: 320)
    try filter.expect(video.lumas[4], at: 61 * video.interval, tolerance: 2)
    messages += filter.messages()
    messages.expectOne(.warning, path)
  }

  @Test func aVideoWithoutAPictureIsAnErrorAtTheStart() throws {
    for bytes in [
      try StoredVideo.encode(
        [], caps: "video/x-raw,format=I420,width=64,height=36,framerate=25/1", interval: 1,
        by: "vp8enc ! webmmux"),
      try StoredVideo.encode(
        (0..<9).map { _ in [UInt8](repeating: 0, count: 4096) },
        caps: "audio/x-raw,format=S16LE,rate=8000,channels=1,layout=interleaved",
        interval: 256_000_000, by: "audioconvert ! matroskamux"),
    ] {
      let path = folder.write("nothing", bytes)
      let filter = try TestFilter(["background-path": path])
      #expect(!filter.tryToStart())
      filter.messages().expectOne(.error, path)
    }
  }

  @Test func soundIsNotDecoded() throws {
    let path = folder.write("both.mkv")
    let pipeline = try RunningPipeline(
      "videotestsrc num-buffers=20 ! video/x-raw,width=64,height=36 ! vp8enc ! matroskamux name=m "
        + "! filesink location=\(path) audiotestsrc num-buffers=20 ! flacenc ! m.")
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    try pipeline.waitForEnd()
    guard case .video(let decoder, _) = try BackgroundContent.open(path) else {
      Issue.record("no video")
      return
    }
    func count(_ factory: String) -> Int {
      let bin = unsafe UnsafeMutablePointer<GstBin>(OpaquePointer(decoder.pipeline))
      let iterator = unsafe gst_bin_iterate_all_by_element_factory_name(bin, factory)
      defer { unsafe gst_iterator_free(iterator) }
      var value = GValue()
      var count = 0
      while unsafe gst_iterator_next(iterator, &value) == GST_ITERATOR_OK {
        count += 1
        unsafe g_value_reset(&value)
      }
      return count
    }
    #expect(count("vp8dec") + count("avdec_vp8") == 1)
    #expect(count("flacdec") + count("avdec_flac") == 0)
  }

  @Test(.enabled(if: hasDecoder("souphttpsrc")))
  func aServerThatDoesNotAnswerDelaysNothing() async {
    await #expect(processExitsWith: .success) {
      // The server never answers, so its clients wait until the process ends.
      alarm(120)
      let server = try HTTPServer(.never)
      let folder = TemporaryFolder()
      let good = try folder.write(StoredVideo(lumas: [90, 100, 110]))
      let filter = try TestFilter(["effect": "color"])
      filter.object.backgroundTimeouts.open = .seconds(3600)
      let colour = try filter.backgroundLuma(at: 0)
      filter.set("effect", "replace")
      filter.set("background-path", server.uri)
      #expect(try filter.backgroundLuma(at: 1) == colour)
      try server.waitForRequest(after: 0)
      for index: UInt64 in 2..<20 { #expect(try filter.backgroundLuma(at: index) == colour) }
      // The hanging server does not delay another background.
      filter.set("background-path", good)
      try filter.wait(forLuma: 90, at: 30)
      // It does not delay a stop.
      var requests = server.requests
      filter.set("background-path", server.uri)
      _ = try filter.process(time: 40)
      try server.waitForRequest(after: requests)
      unsafe gst_element_set_state(filter.element, GST_STATE_NULL)
      // It delays neither a start, nor a stop while a frame waits.
      requests = server.requests
      let late = try TestFilter(["background-path": server.uri])
      late.object.backgroundTimeouts.open = .seconds(3600)
      late.start()
      let pusher = late.pushRoomElsewhere()
      try server.waitForRequest(after: requests)
      unsafe gst_element_set_state(late.element, GST_STATE_NULL)
      #expect(pusher.join() == GST_FLOW_FLUSHING)
      withExtendedLifetime(server) {}
    }
  }

  @Test(
    "keeps showing the last picture of a video that cannot be repeated",
    .enabled(if: hasDecoder("souphttpsrc")))
  func keepsLastPictureIfNotSeekable() async {
    await #expect(processExitsWith: .success) {
      let video = StoredVideo(lumas: StoredVideo.lumas(6), width: 320, height: 180)
      let bytes = try video.encoded(as: .rawMatroska)
      let server = try HTTPServer(.file(bytes, stallsAfter: bytes.count))
      let filter = try TestFilter(["background-path": server.uri])
      try filter.wait(for: 0..<6, of: video)
      for index: UInt64 in 6..<20 { try filter.expect(video.lumas[5], at: index * video.interval) }
      #expect(filter.messages().isEmpty)
      withExtendedLifetime(server) {}
    }
  }

  @Test(.enabled(if: hasDecoder("souphttpsrc")))
  func aVideoThatStallsShowsItsLastPicture() async {
    await #expect(processExitsWith: .success) {
      // The server never continues, so its client waits until the process ends.
      alarm(120)
      let video = StoredVideo(lumas: StoredVideo.lumas(20), width: 320, height: 180)
      let bytes = try video.encoded(as: .rawMatroska)
      // In the middle of the tenth picture.
      let server = try HTTPServer(.file(bytes, stallsAfter: bytes.count * 19 / 40))
      let filter = try TestFilter(["background-path": server.uri])
      try filter.wait(for: 0..<9, of: video)
      for index: UInt64 in 9..<100 { try filter.expect(video.lumas[8], at: index * video.interval) }
      #expect(filter.messages().isEmpty)
      unsafe gst_element_set_state(filter.element, GST_STATE_NULL)
      withExtendedLifetime(server) {}
    }
  }
}
