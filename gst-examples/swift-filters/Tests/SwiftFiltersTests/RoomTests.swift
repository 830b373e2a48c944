import CSwiftFilters
import Glibc
import GstVideoFilterKit
import Matting
import OpenVINOInference
import Testing
import VirtualBackground

@testable import SwiftFilters

/// The filters that hide the room, on an empty room.
@Suite struct RoomTests {
  /// Code values of a green that no picture here has.
  static let room: (luma: UInt8, cb: UInt8, cr: UInt8) = (145, 54, 34)

  private func room(_ stream: VideoStream) -> [UInt8] {
    let blocks = (stream.width + 1) / 2 * ((stream.height + 1) / 2)
    let chroma =
      stream.format == .nv12
      ? (0..<blocks).flatMap { _ in [Self.room.cb, Self.room.cr] }
      : Array(repeating: Self.room.cb, count: blocks)
        + Array(repeating: Self.room.cr, count: blocks)
    return Array(repeating: Self.room.luma, count: stream.width * stream.height) + chroma
  }

  /// The pairs of Cb and Cr of a frame.
  private func chroma(_ bytes: [UInt8], _ stream: VideoStream) -> [[UInt8]] {
    let samples = Array(bytes[(stream.width * stream.height)...])
    let blocks = samples.count / 2
    return (0..<blocks).map {
      stream.format == .nv12
        ? [samples[2 * $0], samples[2 * $0 + 1]] : [samples[$0], samples[blocks + $0]]
    }
  }

  @Test(arguments: [VideoFrame.Format.nv12, .i420], [(320, 240), (161, 91)])
  func anEmptyRoomIsReplacedByTheColor(
    _ format: VideoFrame.Format, _ size: (Int, Int)
  ) throws {
    let stream = VideoStream(width: size.0, height: size.1, format: format)
    var filter = ReplaceRoom()
    filter.quality = .fast
    filter.color = 0x10_20E0
    var bytes = room(stream)
    try filter.process(&bytes, of: stream)
    let code = stream.colorimetry.codeValues(red: 0x10, green: 0x20, blue: 0xE0)
    #expect(bytes.prefix(size.0 * size.1).allSatisfy { $0 == code.luma })
    #expect(chroma(bytes, stream).allSatisfy { $0 == [code.cb, code.cr] })
  }

  @Test func anEmptyRoomIsReplacedByThePicture() throws {
    gst_init(nil, nil)
    let samples = try #require(
      unsafe getenv("VBGFILTER_SAMPLE_DIR").map { unsafe String(cString: $0) })
    let stream = VideoStream(width: 320, height: 240, format: .nv12)
    var filter = ReplaceRoom()
    filter.quality = .fast
    filter.background = samples + "/astronaut.png"
    var bytes = room(stream)
    try filter.process(&bytes, of: stream)
    #expect(Set(chroma(bytes, stream)).count > 100)
    #expect(!chroma(bytes, stream).contains([Self.room.cb, Self.room.cr]))
  }

  @Test func aMissingNetworkIsAnError() {
    #expect {
      try NetworkMaker(modelsFolder: "/nowhere").makeNetwork(
        NetworkRequest(
          .ladder(.fast, subjects: Subjects()), threads: 1, frameWidth: 64, frameHeight: 64))
    } throws: {
      let error = $0 as? SegmentationError
      return error?.kind == .modelNotFound
        && error?.description.contains("No network is installed in /nowhere: ") == true
        && error?.description.contains("VBGFILTER_RUNTIME_DIR") == true
    }
  }

  @Test(arguments: [(15, 64), (64, 15), (8193, 16)])
  func framesOfOtherSizesAreRefused(_ size: (Int, Int)) {
    let stream = VideoStream(width: size.0, height: size.1, format: .nv12)
    #expect(throws: RoomError.self) { try RoomHider(for: stream, RoomHider.Choice(quality: .fast)) }
  }

  /// A frame without a matte is not shown, even after frames with a matte.
  @Test func aFailingNetworkIsAnErrorAndTheFrameIsBlack() throws {
    #expect(BlurRoom.onError == .black && ReplaceRoom().onError == .black)
    let stream = VideoStream(width: 64, height: 48, format: .nv12)
    var failing = FailingRoom()
    var bytes = room(stream)
    #expect(throws: SegmentationError.self) { try failing.process(&bytes, of: stream) }
  }

  /// Runs in a pipeline, because the kit handles the frame if its filter throws.
  @Test(.timeLimit(.minutes(1)))
  func aMissingPictureLosesNoFrame() throws {
    gst_init(nil, nil)
    plugin.register()
    let pipeline = try unsafe #require(
      gst_parse_launch(
        """
        videotestsrc pattern=solid-color foreground-color=0xff00ff00 ! \
        video/x-raw,format=NV12,width=320,height=240 ! \
        replace-room name=room quality=fast background-color=0x1020e0 ! \
        appsink name=pictures sync=false max-buffers=1
        """, nil))
    defer {
      unsafe swiftfilters_stop(pipeline)
      unsafe gst_object_unref(pipeline)
    }
    let element = try unsafe #require(swiftfilters_find(pipeline, "room"))
    defer { unsafe gst_object_unref(element) }
    let sink = try unsafe #require(swiftfilters_find(pipeline, "pictures"))
    defer { unsafe gst_object_unref(sink) }
    let bus = try unsafe #require(gst_element_get_bus(pipeline))
    defer { unsafe gst_object_unref(bus) }
    unsafe swiftfilters_play(pipeline)
    var warning: String?
    var framesAfter = 0
    var frames = 0
    while framesAfter < 10, frames < 2000 {
      if frames == 5 { unsafe swiftfilters_set_text(element, "background", "/nowhere/room.png") }
      let sample = try unsafe #require(swiftfilters_pull(sink, 20_000_000_000))
      let lumas = unsafe Self.lumas(of: sample)
      unsafe gst_sample_unref(sample)
      // There must be one colour, neither black nor the room's.
      try #require(lumas.count == 1 && !lumas.contains(16) && !lumas.contains(Self.room.luma))
      frames += 1
      framesAfter += warning == nil ? 0 : 1
      while let message = unsafe gst_bus_pop(bus) {
        defer { unsafe gst_message_unref(message) }
        guard unsafe swiftfilters_message(message) == SWIFTFILTERS_WARNING else { continue }
        var error: UnsafeMutablePointer<GError>?
        unsafe gst_message_parse_warning(message, &error, nil)
        warning = unsafe error.map { unsafe String(cString: $0.pointee.message) }
        unsafe g_clear_error(&error)
      }
    }
    #expect(warning?.hasPrefix("replace-room: '/nowhere/room.png' does not exist") == true)
  }

  /// The values of a sample's luma.
  private static func lumas(of sample: OpaquePointer) -> Set<UInt8> {
    var map = unsafe GstVideoFrame()
    guard unsafe swiftfilters_map(&map, sample) != 0 else { return [] }
    defer { unsafe gst_video_frame_unmap(&map) }
    guard let base = unsafe map.data.0 else { return [] }
    var values: Set<UInt8> = []
    for y in unsafe 0..<Int(map.info.height) {
      let row = unsafe UnsafeRawBufferPointer(
        start: base + y * Int(map.info.stride.0), count: Int(map.info.width))
      unsafe values.formUnion(row)
    }
    return values
  }

  /// The loading error of a network also comes after the frame is hidden.
  @Test func aFailedChangeIsReportedAfterTheFrameIsHidden() throws {
    struct Refused: Error {}
    struct Refusing: VideoFilter {
      static let id = "refusing", name = "Refusing"
      private var hider: RoomHider?
      mutating func setUp(for stream: VideoStream) throws {
        hider = try RoomHider(for: stream, RoomHider.Choice(quality: .fast))
      }
      mutating func process(_ frame: inout VideoFrame) throws {
        var settings = EffectSettings()
        settings.effect = .replace
        settings.backgroundColor = 0x10_20E0
        try hider?.process(&frame, settings: settings) { throw Refused() }
      }
    }
    let stream = VideoStream(width: 320, height: 240, format: .nv12)
    var bytes = room(stream)
    var filter = Refusing()
    let warning = #expect(throws: FilterWarning.self) { try filter.process(&bytes, of: stream) }
    #expect(warning?.cause is Refused)
    let code = stream.colorimetry.codeValues(red: 0x10, green: 0x20, blue: 0xE0)
    #expect(bytes.prefix(320 * 240).allSatisfy { $0 == code.luma })
  }

  /// Starting with the same path still fails.
  @Test("keeps the colour at a change of size if the new picture is missing")
  func keepsColorIfPictureIsMissing() throws {
    var filter = ReplaceRoom()
    filter.quality = .fast
    filter.color = 0x10_20E0
    for width in [320, 321] {
      let stream = VideoStream(width: width, height: 240, format: .nv12)
      var bytes = room(stream)
      try filter.process(&bytes, of: stream)
      let code = stream.colorimetry.codeValues(red: 0x10, green: 0x20, blue: 0xE0)
      #expect(bytes.prefix(width * 240).allSatisfy { $0 == code.luma })
      filter.background = "/nowhere/room.png"
    }
    var another = ReplaceRoom()
    another.quality = .fast
    another.background = "/nowhere/room.png"
    let stream = VideoStream(width: 320, height: 240, format: .nv12)
    var bytes = room(stream)
    #expect(throws: ImageError.self) { try another.process(&bytes, of: stream) }
  }

  @Test(.timeLimit(.minutes(1)))
  func aNewNetworkAndPictureLoadNextToTheStream() throws {
    let stream = VideoStream(width: 320, height: 240, format: .nv12)
    var filter = ChangingRoom()
    var bytes = room(stream)
    #expect { try filter.process(&bytes, of: stream) } throws: {
      "\($0)".contains("/nowhere/room.png")
    }
    #expect(filter.frames > 1)
  }
}

/// Hides the room with a network that never works.
private struct FailingRoom: VideoFilter {
  static let id = "failing-room", name = "Failing room"
  private var hider: RoomHider?

  mutating func setUp(for stream: VideoStream) throws {
    hider = try RoomHider(for: stream, RoomHider.Choice(quality: .fast))
    hider?.use(Segmenters(wholeFrame: FailingNetwork()))
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    try hider?.process(&frame, settings: EffectSettings())
  }
}

/// Fails with each picture.
@safe private final class FailingNetwork: Segmenter {
  let inputFormat = TensorFormat(width: 16, height: 16, layout: .interleaved, fit: .stretch)
  // Owned.
  let inputTensor = UnsafeMutablePointer<Float>.allocate(capacity: 3 * 16 * 16)

  deinit { unsafe inputTensor.deallocate() }

  func infer() throws(SegmentationError) -> RawMatte {
    throw SegmentationError(.inferenceFailed, "the network is broken")
  }

  func reset() {}
}

/// Changes network and picture between frames, until the missing picture is reported.
private struct ChangingRoom: VideoFilter {
  static let id = "changing-room", name = "Changing room"
  private(set) var frames = 0
  private var hider: RoomHider?

  mutating func setUp(for stream: VideoStream) throws {
    gst_init(nil, nil)
    hider = try RoomHider(for: stream, RoomHider.Choice(quality: .fast))
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    while frames < 10_000 {
      frames += 1
      try hider?.use(.balanced)
      try hider?.show("/nowhere/room.png")
      try hider?.process(&frame, settings: EffectSettings())
      usleep(1000)
    }
  }
}
