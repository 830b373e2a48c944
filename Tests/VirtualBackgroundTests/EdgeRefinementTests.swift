import PixelTypes
import Processor
import TestSupport
import Testing

@testable import Matting

@Suite struct EdgeRefinementTests {
  private static let (width, height) = (48, 24)
  /// The first column of the room in the picture.
  private static let edge = 24

  /// A bright person at the left of a dark room.
  private func picture(onlyChroma: Bool = false) -> (luma: Raster<UInt8>, chroma: Raster<UInt8>) {
    let luma = Raster<UInt8>(width: Self.width, height: Self.height, filledWith: 120)
    let chroma = Raster<UInt8>(width: Self.width, height: Self.height / 2, filledWith: 128)
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        if !onlyChroma { unsafe luma.row(y)[x] = x < Self.edge ? 200 : 60 }
        if onlyChroma, x % 2 == 0 { unsafe chroma.row(y / 2)[x] = x < Self.edge ? 160 : 100 }
      }
    }
    return (luma, chroma)
  }

  /// A ramp around a column, as a network's matte of half the size has it when it is enlarged.
  private func matte(edgeAt column: Double) -> Raster<UInt8> {
    let matte = Raster<UInt8>(width: Self.width, height: Self.height, filledWith: 0)
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let alpha = 0.5 - (Double(x) + 0.5 - column) / 3
        unsafe matte.row(y)[x] = UInt8((255 * min(max(alpha, 0), 1)).rounded())
      }
    }
    return matte
  }

  private func refined(
    edgeAt column: Double, picture: (luma: Raster<UInt8>, chroma: Raster<UInt8>)
  ) -> Raster<UInt8> {
    let matte = matte(edgeAt: column)
    withExtendedLifetime(picture) {
      EdgeRefinement(width: Self.width, kernels: InstructionSet.current.kernels).refine(
        matte, picture: Frame(luma: picture.luma.plane, chroma: picture.chroma.plane),
        contrast: 1.5)
    }
    return matte
  }

  /// Where the alpha of the middle row crosses a half.
  private func extent(_ matte: Raster<UInt8>) -> Double {
    (0..<Self.width).reduce(0) { unsafe $0 + Double(matte.row(Self.height / 2)[$1]) / 255 }
  }

  @Test(arguments: [-1, -0.5, 0.5, 1])
  func anEdgeHalfASampleOfTheNetworkOffIsMoved(offset: Double) {
    let plain = extent(matte(edgeAt: Double(Self.edge) + offset)) - Double(Self.edge)
    let better =
      extent(refined(edgeAt: Double(Self.edge) + offset, picture: picture())) - Double(Self.edge)
    #expect(abs(better) < 0.6 * abs(plain))
  }

  @Test func anEdgeOfColourAloneCountsToo() {
    let better =
      extent(refined(edgeAt: Double(Self.edge) + 1, picture: picture(onlyChroma: true)))
      - Double(Self.edge)
    #expect(abs(better) < 0.6)
  }

  @Test func theEdgeIsSharperWhereThePictureIs() {
    let row = refined(edgeAt: Double(Self.edge), picture: picture())
    let step = unsafe Int(row.row(12)[Self.edge - 1]) - Int(row.row(12)[Self.edge])
    let plain = matte(edgeAt: Double(Self.edge))
    let before = unsafe Int(plain.row(12)[Self.edge - 1]) - Int(plain.row(12)[Self.edge])
    #expect(2 * step > 3 * before)
  }

  @Test func whatIsFarFromAnEdgeIsNotTouched() {
    let matte = refined(edgeAt: Double(Self.edge), picture: picture())
    for y in 0..<Self.height {
      for x in 0..<Self.edge - 8 { #expect(unsafe matte.row(y)[x] == 255) }
      for x in Self.edge + 8..<Self.width { #expect(unsafe matte.row(y)[x] == 0) }
    }
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 7), (5, 3), (70, 2)])
  func smallMattesAreRefinedToo(width: Int, height: Int) {
    let matte = Raster<UInt8>(width: width, height: height, filledWith: 128)
    let luma = Raster<UInt8>(width: width, height: height, filledWith: 90)
    let chroma = Raster<UInt8>(
      width: (width + 1) / 2 * 2, height: (height + 1) / 2, filledWith: 128)
    EdgeRefinement(width: width, kernels: InstructionSet.current.kernels).refine(
      matte, picture: Frame(luma: luma.plane, chroma: chroma.plane), contrast: 1)
    withExtendedLifetime((luma, chroma)) {}
    for i in 0..<width * height { #expect(unsafe matte.base[i] == 128) }
  }
}
