import PixelTypes
import Testing

@testable import Matting

@Suite struct PeopleBoundsTests {
  private let format = FrameFormat(
    width: 639, height: 359, colorimetry: Colorimetry(matrix: .bt709, range: .limited))

  /// Looks at one painted matte after the other.
  private struct Scene {
    let bounds: PeopleBounds
    private let matte: Matte

    init(_ format: FrameFormat) {
      matte = Matte(grid: MatteGrid(format: format, shift: 2))
      bounds = PeopleBounds(format: format, grid: matte.grid)
    }

    func find(_ paint: (Int, Int) -> UInt8) -> PixelRegion? {
      for y in 0..<matte.grid.height {
        for x in 0..<matte.grid.width { unsafe matte.samples.row(y)[x] = paint(x, y) }
      }
      return bounds.find(in: matte.samples)
    }
  }

  private func bounds(_ paint: (Int, Int) -> UInt8) -> PixelRegion? { Scene(format).find(paint) }

  @Test func nobodyIsNowhere() {
    #expect(bounds { _, _ in 100 } == nil)
  }

  @Test func everybodyEverywhereIsTheWholeFrame() {
    #expect(bounds { _, _ in 255 } == PixelRegion(wholeOf: format))
  }

  @Test func aPersonIsWhereTheMatteIs() {
    let region = bounds { x, y in 40..<80 ~= x && y >= 30 ? 200 : 20 }
    #expect(region == PixelRegion(x: 160, y: 120, width: 160, height: 239))
  }

  @Test func twoPeopleAreBothIn() {
    let region = bounds { x, y in y >= 30 && (10..<30 ~= x || 100..<130 ~= x) ? 255 : 0 }
    #expect(region == PixelRegion(x: 40, y: 120, width: 480, height: 239))
  }

  @Test func aStainOnTheWallIsNobody() {
    let region = bounds { x, y in
      (40..<80 ~= x && y >= 30) || (120..<125 ~= x && 10..<15 ~= y) ? 255 : 0
    }
    #expect(region == PixelRegion(x: 160, y: 120, width: 160, height: 239))
  }

  @Test func whatIsInDoubtCountsWhereNobodyIsSure() {
    func paint(_ alpha: UInt8) -> PixelRegion? {
      bounds { x, y in y < 30 ? 0 : 40..<80 ~= x ? alpha : 100..<130 ~= x ? 150 : 0 }
    }
    #expect(paint(255) == PixelRegion(x: 160, y: 120, width: 160, height: 239))
    #expect(paint(150) == PixelRegion(x: 160, y: 120, width: 360, height: 239))
  }

  @Test func noiseIsLookedAtAsAWhole() {
    #expect(bounds { x, y in (x + y) % 2 == 0 ? 255 : 0 } == PixelRegion(wholeOf: format))
    #expect(bounds { x, y in x % 2 + y % 2 == 0 ? 255 : 0 } == PixelRegion(wholeOf: format))
  }
}
