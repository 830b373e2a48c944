import Compositing
import PixelTypes
import Processor
import TestSupport
import Testing

@Suite struct NV12AdapterTests {
  @Test(arguments: [PixelFormat.nv21, .i420], [(17, 19), (640, 360), (1601, 901)])
  func showsChromaAsPairsAndWritesItBack(_ format: PixelFormat, _ size: (Int, Int)) {
    let frameFormat = FrameFormat(
      width: size.0, height: size.1, colorimetry: Colorimetry(matrix: .bt601, range: .full))
    let picture = TestPlanes(format, format: frameFormat, padding: 3)
    var generator = SeededGenerator(seed: 9)
    for number in 0..<format.planeCount {
      let plane = picture.planes[number]
      for y in 0..<plane.height {
        for (x, byte) in generator.bytes(plane.width).enumerated() {
          unsafe plane.row(y)[x] = byte
        }
      }
    }
    let adapter = NV12Adapter(
      format, format: frameFormat, kernels: InstructionSet.current.kernels, threads: 2)
    let frame = adapter.open(picture.planes)
    #expect(unsafe frame.luma.base == picture.planes[0].base)
    #expect(frame.chroma.width == 2 * frameFormat.chromaWidth)
    // Counted, because an expectation for each sample takes longer than all else.
    var wrong = 0
    for y in 0..<frameFormat.chromaHeight {
      for x in 0..<frameFormat.chromaWidth {
        let (cb, cr) = unsafe (frame.chroma.row(y)[2 * x], frame.chroma.row(y)[2 * x + 1])
        let isRight =
          format == .i420
          ? cb == picture.byte(x, y, plane: 1) && cr == picture.byte(x, y, plane: 2)
          : cr == picture.byte(2 * x, y, plane: 1) && cb == picture.byte(2 * x + 1, y, plane: 1)
        if !isRight { wrong += 1 }
        unsafe frame.chroma.row(y)[2 * x] = cb &+ 1
        unsafe frame.chroma.row(y)[2 * x + 1] = cr &+ 2
      }
    }
    #expect(wrong == 0)
    let before = (1..<format.planeCount).map { picture.bytes(plane: $0) }
    adapter.writeBack(to: picture.planes)
    for (number, old) in before.enumerated() {
      let new = picture.bytes(plane: number + 1)
      let added = old.indices.map { new[$0] &- old[$0] }
      if format == .i420 {
        #expect(added.allSatisfy { $0 == UInt8(number + 1) })
      } else {
        #expect(added.indices.allSatisfy { added[$0] == ($0 % 2 == 0 ? 2 : 1) })
      }
    }
    #expect(picture.paddingIsIntact)
  }

  /// Samples of 10 bits are rounded to 8, and those of 8 bits written back leave nothing of the others.
  @Test(arguments: [(17, 19), (640, 360), (1601, 901)])
  func showsTenBitsAsEightAndWritesThemBack(_ size: (Int, Int)) {
    let frameFormat = FrameFormat(
      width: size.0, height: size.1, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    let picture = TestPlanes(.p010, format: frameFormat, padding: 3)
    var generator = SeededGenerator(seed: 9)
    for number in 0..<2 {
      let plane = picture.planes[number]
      for y in 0..<plane.height {
        for (x, byte) in generator.bytes(plane.width).enumerated() {
          unsafe plane.row(y)[x] = byte
        }
      }
    }
    let before = (0..<2).map { picture.bytes(plane: $0) }
    let adapter = NV12Adapter(
      .p010, format: frameFormat, kernels: InstructionSet.current.kernels, threads: 2)
    let frame = adapter.open(picture.planes)
    #expect(frame.luma.width == size.0 && frame.luma.height == size.1)
    let eights = [frame.luma, frame.chroma].map { plane in
      (0..<plane.height).flatMap { y in (0..<plane.width).map { unsafe plane.row(y)[$0] } }
    }
    for (number, bytes) in before.enumerated() {
      let rounded = stride(from: 0, to: bytes.count, by: 2).map { i in
        UInt8(min(Int(bytes[i + 1]) + (bytes[i] >= 128 ? 1 : 0), 255))
      }
      #expect(eights[number] == rounded)
    }
    adapter.writeBack(to: picture.planes)
    for number in 0..<2 {
      #expect(picture.bytes(plane: number) == eights[number].flatMap { [0, $0] })
    }
    #expect(picture.paddingIsIntact)
  }
}
