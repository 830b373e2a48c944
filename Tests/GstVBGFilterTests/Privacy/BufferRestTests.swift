import CGStreamer
import CTestSupport
import CVBGFilter
import PixelTypes
import TestSupport
import Testing

@testable import GstVBGFilter

/// Input memory outside the picture, which must not leave the element while the room is hidden.
@Suite struct BufferRestTests {
  private static let inputs: [PixelFormat] = [.nv12, .i420, .nv21, .p010]

  /// The ways in which the element can process a frame.
  enum Way: CaseIterable, Sendable {
    case inPlace, toRGBA, toI420, toGray, repeated, hidden, colored, held, shared
  }

  private func makeFilter(
    _ way: Way, _ input: PixelFormat = .nv12, size: (Int, Int) = (160, 90)
  ) throws -> (filter: TestFilter, oracle: PrivacyOracle) {
    var properties = ["effect": "color", "background-color": "\(Room.gray)"]
    var sink: PixelFormat?
    switch way {
    case .toRGBA: sink = .rgba
    case .toI420: sink = .i420
    case .toGray: sink = .gray8
    case .repeated: properties.merge(["pacing": "repeat-frame", "target-fps": "1"]) { $1 }
    case .hidden: properties["on-failure"] = "blur"
    case .colored: properties["on-failure"] = "color"
    case .held: properties["on-failure"] = "hold"
    case .inPlace, .shared: break
    }
    let filter = try TestFilter(
      format: input, width: size.0, height: size.1,
      sink: sink.map { "video/x-raw, format=\($0.name)" }, properties)
    let oracle = PrivacyOracle(NoisyRoom.secrets(of: filter.stream.frameFormat))
    return (filter, oracle)
  }

  /// Pushes a buffer, takes ownership of it, and examines all output.
  ///
  /// - Returns: the share of the room that is visible in each output picture.
  private func process(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ filter: TestFilter, _ oracle: PrivacyOracle
  ) throws -> [Double] {
    try #require(unsafe filter.push(buffer) == GST_FLOW_OK)
    let format = filter.stream.frameFormat
    let output = try StreamFormat(filter.outputFormat(), width: format.width, height: format.height)
    var exposures: [Double] = []
    while let buffer = unsafe filter.pullBuffer() {
      defer { unsafe GStreamer.unrefMini(buffer) }
      unsafe oracle.look(at: buffer)
      exposures.append(NoisyRoom.exposure(of: unsafe try output.planes(in: buffer, of: format)))
    }
    return exposures
  }

  @Test(arguments: Way.allCases, FrameLayout.all)
  func noRawByteIsOutput(_ way: Way, _ layout: FrameLayout) throws {
    for input in Self.inputs where way != .toI420 || input != .i420 {
      let (filter, oracle) = try makeFilter(way, input)
      var frames = 0
      for index in 0..<3 {
        let fails = index == 2 && [.hidden, .colored, .held].contains(way)
        filter.models.change("good") {
          $0.inferenceFailure = fails ? .init(.inferenceFailed, "no") : nil
        }
        let buffer = unsafe try filter.stream.makeNoisyBuffer(layout)
        unsafe buffer.pointee.pts = GstClockTime(index) * 33_333_333
        let other = unsafe way == .shared ? gst_buffer_copy(buffer) : nil
        defer { if let other = unsafe other { unsafe GStreamer.unrefMini(other) } }
        let exposures = try unsafe process(buffer, filter, oracle)
        frames += exposures.count
        #expect(exposures.allSatisfy { $0 < 0.05 }, "\(input): \(exposures)")
        #expect(oracle.takeSightings() == [], "\(input)")
      }
      #expect(frames == 3)
    }
  }

  /// Proves that the other tests would find the room in each of its hiding places.
  @Test("passes the frame and its hidden bytes through while inactive", arguments: FrameLayout.all)
  func passesHiddenBytesWhileInactive(_ layout: FrameLayout) throws {
    for input in Self.inputs {
      let (filter, oracle) = try makeFilter(.inPlace, input)
      filter.set("active", "false")
      let exposures = try unsafe process(try filter.stream.makeNoisyBuffer(layout), filter, oracle)
      #expect(exposures.allSatisfy { abs($0 - 1) < 0.01 } && exposures.count == 1)
      #expect(!oracle.takeSightings().isEmpty)
    }
  }

  /// The output does not depend on the bytes around the picture.
  @Test(arguments: FrameLayout.all)
  func thePictureDoesNotDependOnItsLayout(_ layout: FrameLayout) throws {
    for input in Self.inputs {
      let (filter, _) = try makeFilter(.inPlace, input)
      let plain = unsafe try filter.stream.makeNoisyBuffer(FrameLayout(isDescribed: false))
      let expected = unsafe try filter.process(plain)
      #expect(Room.showsPerson(expected))
      let other = unsafe try filter.process(filter.stream.makeNoisyBuffer(layout))
      #expect(other.maxDifference(from: expected) == 0)
      #expect(filter.messages().isEmpty)
    }
  }

  /// Some hardware stores the rows of both chroma planes side by side.
  @Test func planesMayShareTheirRows() throws {
    let (filter, _) = try makeFilter(.inPlace, .i420)
    let plain = unsafe try filter.stream.makeNoisyBuffer(FrameLayout(isDescribed: false))
    let expected = unsafe try filter.process(plain)
    // 160x90 luma, then 45 rows with 80 bytes of Cb and 80 of Cr.
    let planes = TestPlanes(.i420, format: filter.stream.frameFormat)
    planes.take(NoisyRoom.picture(filter.stream.frameFormat))
    var bytes = planes.bytes(plane: 0)
    let (cb, cr) = (planes.bytes(plane: 1), planes.bytes(plane: 2))
    for start in stride(from: 0, to: cb.count, by: 80) {
      bytes += cb[start..<start + 80]
      bytes += cr[start..<start + 80]
    }
    let buffer = unsafe try #require(gst_buffer_new_allocate(nil, gsize(bytes.count), nil))
    unsafe gst_buffer_fill(buffer, 0, bytes, gsize(bytes.count))
    var offsets: [gsize] = [0, 14400, 14480, 0]
    var strides: [gint] = [160, 160, 160, 0]
    unsafe gst_buffer_add_video_meta_full(
      buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_I420, 160, 90, 3, &offsets, &strides)
    #expect(try unsafe filter.process(buffer).maxDifference(from: expected) == 0)
  }

  /// New memory still contains old data, which may be from a frame.
  @Test(arguments: [PixelFormat.nv12, .i420, .a420])
  func newMemoryIsCleared(_ format: PixelFormat) throws {
    // GStreamer pads the rows of this frame and of its matte.
    let filter = try TestFilter(
      width: 151, height: 91, sink: "video/x-raw, format=\(format.name)",
      ["effect": "color", "attach-matte": "true"])
    _ = try filter.processToPlanes()
    let output = try StreamFormat(format, width: 151, height: 91)
    // The second buffer is unusable, so the output needs other memory.
    for isUsable in [true, false] {
      let buffer =
        unsafe isUsable
        ? filter.stream.makeBuffer(Room.picture(filter.stream.frameFormat), hasMeta: false)
        : try filter.makeBuffer(with: .memoryTooSmall)
      dirty_memory_begin()
      let flow = unsafe filter.push(buffer)
      dirty_memory_end()
      try #require(flow == GST_FLOW_OK)
      let seen = unsafe try #require(filter.pullBuffer())
      defer { unsafe GStreamer.unrefMini(seen) }
      let rest = unsafe try bytesBesidePlanes(
        of: seen, unsafe info(output.info.stride, output.info.offset), format)
      #expect(!rest.contains(UInt8(DIRTY_MEMORY_BYTE)))
      guard let matte = unsafe gst_buffer_get_vbg_matte_meta(seen) else { continue }
      let alpha = unsafe try bytesBesidePlanes(
        of: matte.pointee.alpha, [(Int(matte.pointee.stride), 0)], .gray8,
        size: (Int(matte.pointee.width), Int(matte.pointee.height)))
      #expect(!alpha.isEmpty)
      #expect(!alpha.contains(UInt8(DIRTY_MEMORY_BYTE)))
    }
  }

  private func info(
    _ strides: (gint, gint, gint, gint), _ offsets: (gsize, gsize, gsize, gsize)
  ) -> [(stride: Int, offset: Int)] {
    [
      (Int(strides.0), Int(offsets.0)), (Int(strides.1), Int(offsets.1)),
      (Int(strides.2), Int(offsets.2)), (Int(strides.3), Int(offsets.3)),
    ]
  }

  /// Returns the bytes of a buffer's only memory outside all samples.
  private func bytesBesidePlanes(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ layout: [(stride: Int, offset: Int)],
    _ format: PixelFormat, size: (width: Int, height: Int) = (151, 91)
  ) throws -> [UInt8] {
    let memory = unsafe try #require(gst_buffer_peek_memory(buffer, 0))
    try #require(unsafe gst_buffer_n_memory(buffer) == 1 && memory.pointee.offset == 0)
    var map = unsafe GstMapInfo()
    try #require(unsafe gst_memory_map(memory, &map, GST_MAP_READ) != 0)
    defer { unsafe gst_memory_unmap(memory, &map) }
    var isSample = [Bool](repeating: false, count: Int(unsafe map.maxsize))
    for number in 0..<format.planeCount {
      let plane = format.planeSize(number, width: size.width, height: size.height)
      for y in 0..<plane.height {
        let start = layout[number].offset + y * layout[number].stride
        for x in 0..<plane.width { isSample[start + x] = true }
      }
    }
    return isSample.indices.filter { !isSample[$0] }.map { unsafe map.data[$0] }
  }
}
