import CSwiftFilters
import Glibc
import GstVideoFilterKit
import Testing
import VirtualBackground

@testable import SwiftFilters

/// The filters that hide the room, on a room that nobody is in.
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

  @Test func withoutANetworkNothingBegins() {
    #expect {
      try RoomNetwork(.fast, frameWidth: 64, frameHeight: 64, folder: "/nowhere")
    } throws: {
      ($0 as? SegmentationError)?.kind == .modelNotFound
    }
  }

  @Test(arguments: [(15, 64), (64, 15), (8193, 16)])
  func framesOfOtherSizesAreRefused(_ size: (Int, Int)) {
    let stream = VideoStream(width: size.0, height: size.1, format: .nv12)
    #expect(throws: RoomError.self) { try RoomHider(for: stream, quality: .fast) }
  }

  /// A frame without a matte is not shown, whatever the network did to the ones before.
  @Test func aNetworkThatFailsIsToldSoThatTheFrameIsBlack() throws {
    #expect(BlurRoom().onError == .black && ReplaceRoom().onError == .black)
    let stream = VideoStream(width: 64, height: 48, format: .nv12)
    var failing = FailingRoom()
    var bytes = room(stream)
    #expect(throws: SegmentationError.self) { try failing.process(&bytes, of: stream) }
  }

  @Test(.timeLimit(.minutes(1)))
  func anotherNetworkAndPictureComeInBesideTheStream() throws {
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
    hider = try RoomHider(for: stream, quality: .fast)
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

  func forgetPast() {}
}

/// Changes network and picture while frames go on, until it is told that the picture is not there.
private struct ChangingRoom: VideoFilter {
  static let id = "changing-room", name = "Changing room"
  private(set) var frames = 0
  private var hider: RoomHider?

  mutating func setUp(for stream: VideoStream) throws {
    gst_init(nil, nil)
    hider = try RoomHider(for: stream, quality: .fast)
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
