import CGStreamer
import CVBGFilter
import Glibc
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Pipelines from file to file, and a player that jumps about in one: no room, no cover picture.
@Suite struct PrivacyFileTests {
  private static let size = (160, 90)

  /// Gives the filter of a pipeline a network, which has to live as long as the pipeline.
  private func prepare(
    _ pipeline: RunningPipeline
  ) throws -> (object: VBGFilterElement, models: FakeModels) {
    let filter = unsafe try pipeline.element("filter")
    defer { unsafe GStreamer.unref(filter) }
    let pointer = unsafe try #require(vbg_filter_get_object(filter))
    let object = unsafe Unmanaged<VBGFilterElement>.fromOpaque(pointer).takeUnretainedValue()
    let models = FakeModels()
    object.modelLoader = models
    return (object, models)
  }

  private func contents(of path: String) throws -> [UInt8] {
    let file = unsafe try #require(fopen(path, "rb"))
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = unsafe fread(&part, 1, part.count, file), count > 0 {
      bytes += part[..<count]
    }
    return bytes
  }

  @Test(arguments: [
    "videoconvert ! video/x-raw, format=I420 ! matroskamux",
    "videoconvert ! jpegenc ! qtmux",
    "videoconvert ! x264enc ! mp4mux",
  ])
  func aFileHoldsNothingOfTheRoom(_ muxing: String) throws {
    let film = try NoisyFile(frames: 5, width: Self.size.0, height: Self.size.1)
    let folder = TemporaryFolder()
    for properties in ["effect=color", "effect=blur", "active=false"] {
      let path = folder.path + "/out"
      let pipeline = try RunningPipeline(
        "\(film.source) ! vbgfilter name=filter model=good \(properties) ! \(muxing) ! "
          + "filesink location=\(path)")
      let (_, models) = try prepare(pipeline)
      try #require(pipeline.change(to: GST_STATE_PLAYING, waits: false))
      try pipeline.waitForEnd()
      try #require(pipeline.change(to: GST_STATE_NULL))
      let bytes = try contents(of: path)
      #expect(bytes.count > 1000)
      let isSeen = unsafe bytes.withUnsafeBufferPointer { unsafe film.secrets.areSeen(in: $0) }
      #expect(isSeen == (properties == "active=false"), "\(properties)")
      withExtendedLifetime(models) {}
    }
  }

  /// Seeks, pauses and changes while the film plays.
  @Test(arguments: [UInt64(1), 2, 3]) func jumpingAboutShowsNothing(_ seed: UInt64) throws {
    let film = try NoisyFile(frames: 40, width: Self.size.0, height: Self.size.1)
    var random = SeededGenerator(seed: seed)
    let formats: [PixelFormat] = [.nv12, .i420, .rgba, .ayuv, .gray8]
    let format = try #require(formats.randomElement(using: &random))
    let pipeline = try RunningPipeline(
      "\(film.source) ! vbgfilter name=filter model=good effect=color ! "
        + "video/x-raw, format=\(format.name) ! "
        + "appsink name=sink sync=false max-buffers=1 emit-signals=false")
    let (object, models) = try prepare(pipeline)
    let oracle = PrivacyOracle(film.secrets)
    let (filter, sink) = unsafe (try pipeline.element("filter"), try pipeline.element("sink"))
    let pad = unsafe try #require(gst_element_get_static_pad(filter, "src"))
    let bus = unsafe try pipeline.bus()
    unsafe oracle.watch(pad, bus)
    defer {
      unsafe GStreamer.unref(pad)
      unsafe GStreamer.unref(bus)
      unsafe GStreamer.unref(sink)
      unsafe GStreamer.unref(filter)
    }
    try #require(pipeline.change(to: GST_STATE_PLAYING))
    let output = try StreamFormat(format, width: Self.size.0, height: Self.size.1)
    var frames = 0
    for step in 0..<120 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: #expect(pipeline.seek(to: UInt64.random(in: 0..<1_000_000_000, using: &random)))
      case 1:
        #expect(pipeline.change(to: GST_STATE_PAUSED))
        #expect(pipeline.change(to: GST_STATE_PLAYING))
      case 2...4:
        let changes: [(inout Settings) -> Void] = [
          { $0.effect = .color }, { $0.effect = .blur }, { $0.effect = .matte },
          { $0.effect = .transparent }, { $0.pacing = .repeatFrame }, { $0.pacing = .reuseMatte },
          { $0.targetFPS = 10 }, { $0.targetFPS = 0 }, { $0.attachMatte.toggle() },
          { $0.blurRadius = 0.1 }, { $0.blurRadius = 100 },
        ]
        let change = try #require(changes.randomElement(using: &random))
        object.settings.withLock { change(&$0) }
      default: break
      }
      let entry = unsafe UnsafeMutablePointer<GstAppSink>(OpaquePointer(sink))
      guard let sample = unsafe gst_app_sink_try_pull_sample(entry, GstClockTime(20_000_000_000))
      else {
        // At the end it begins anew.
        #expect(pipeline.seek(to: 0))
        continue
      }
      defer { unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(sample)) }
      let buffer = unsafe try #require(gst_sample_get_buffer(sample))
      let picture = unsafe try output.planes(in: buffer, of: film.stream.frameFormat)
      #expect(NoisyRoom.exposure(of: picture) < 0.25, "step \(step)")
      unsafe oracle.look(atKeptBy: pad)
      #expect(oracle.takeSightings() == [], "step \(step)")
      frames += 1
    }
    #expect(frames > 60)
    withExtendedLifetime(models) {}
  }
}
