import PixelTypes
import Processor
import TestSupport
import Testing
import VirtualBackground

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
      format: frameFormat, kernels: InstructionSet.current.kernels, threads: 2)
    let frame = adapter.open(picture.planes)
    #expect(unsafe frame.luma.base == picture.planes[0].base)
    #expect(frame.chroma.width == 2 * frameFormat.chromaWidth)
    for y in 0..<frameFormat.chromaHeight {
      for x in 0..<frameFormat.chromaWidth {
        let (cb, cr) = unsafe (frame.chroma.row(y)[2 * x], frame.chroma.row(y)[2 * x + 1])
        let isRight =
          format == .i420
          ? cb == picture.byte(x, y, plane: 1) && cr == picture.byte(x, y, plane: 2)
          : cr == picture.byte(2 * x, y, plane: 1) && cb == picture.byte(2 * x + 1, y, plane: 1)
        #expect(isRight)
        unsafe frame.chroma.row(y)[2 * x] = cb &+ 1
        unsafe frame.chroma.row(y)[2 * x + 1] = cr &+ 2
      }
    }
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
}
