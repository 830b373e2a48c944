import PixelTypes
import Testing

@testable import Matting

@Suite struct EdgeShapingTests {
  /// One sample per pixel.
  private let grid = MatteGrid(
    format: FrameFormat(
      width: 60, height: 40, colorimetry: Colorimetry(matrix: .bt709, range: .limited)),
    shift: 0)

  /// A square of 255 in the middle of a 60 x 40 matte, from (20, 10) to (39, 29).
  private func square() -> Raster<UInt8> {
    let matte = Raster<UInt8>(width: 60, height: 40, filledWith: 0)
    for y in 10..<30 { for x in 20..<40 { unsafe matte.row(y)[x] = 255 } }
    return matte
  }

  private func shaped(grow: Double, feather: Double) -> Raster<UInt8> {
    var settings = MatteSettings()
    (settings.grow, settings.feather) = (grow, feather)
    let amounts = EdgeShaping.Amounts(settings: settings, frameHeight: 720, grid: grid)
    let matte = square()
    EdgeShaping(grid: grid, amounts: amounts).apply(to: matte)
    return matte
  }

  /// A row of a matte, copied while the matte lives.
  private func row(_ y: Int, of matte: Raster<UInt8>) -> [Int] {
    (0..<matte.width).map { unsafe Int(matte.row(y)[$0]) }
  }

  /// Width of the person in row 20, in samples.
  private func extent(_ matte: Raster<UInt8>) -> Double {
    (0..<60).reduce(0) { unsafe $0 + Double(matte.row(20)[$1]) / 255 }
  }

  @Test(arguments: [1, 3, 7, -1, -4, 0.5, 2.25, -0.5])
  func theEdgeMovesByTheAmount(grow: Double) {
    #expect(abs(extent(shaped(grow: grow, feather: 0)) - (20 + 2 * grow)) < 0.02)
  }

  @Test("fills or empties the matte if grow exceeds its size")
  func excessiveGrow() {
    #expect(extent(shaped(grow: 100_000, feather: 0)) == 60)
    #expect(extent(shaped(grow: -100_000, feather: 0)) == 0)
  }

  @Test("softens the edge outside the person with a positive feather", arguments: [4.0, 8, 12])
  func positiveFeather(feather: Double) {
    let row = row(20, of: shaped(grow: 0, feather: feather))
    #expect(row[20..<40].allSatisfy { $0 == 255 })
    #expect(zip(row[0..<20], row[1..<21]).allSatisfy { $0 <= $1 })
    let width = Int(feather)
    #expect(row[19] < 255 && row[20 - width / 2] > 60)
    #expect(row[..<(18 - width)].allSatisfy { $0 == 0 })
    #expect(abs(extent(shaped(grow: 0, feather: feather)) - (20 + feather)) < 1)
  }

  @Test("softens the edge inside the person with a negative feather", arguments: [-4.0, -8, -12])
  func negativeFeather(feather: Double) {
    let row = row(20, of: shaped(grow: 0, feather: feather))
    #expect(row[..<20].allSatisfy { $0 == 0 } && row[40...].allSatisfy { $0 == 0 })
    #expect(zip(row[19..<29], row[20..<30]).allSatisfy { $0 <= $1 })
    #expect(row[20] > 0 && row[20] < 128)
    #expect(abs(extent(shaped(grow: 0, feather: feather)) - (20 + feather)) < 1)
  }

  @Test func amountsScaleWithTheFrame() {
    var settings = MatteSettings()
    (settings.grow, settings.feather) = (6, 4)
    let colorimetry = Colorimetry(matrix: .bt709, range: .limited)
    let small = EdgeShaping.Amounts(
      settings: settings, frameHeight: 720,
      grid: MatteGrid(
        format: FrameFormat(width: 1280, height: 720, colorimetry: colorimetry), shift: 1))
    let large = EdgeShaping.Amounts(
      settings: settings, frameHeight: 2160,
      grid: MatteGrid(
        format: FrameFormat(width: 3840, height: 2160, colorimetry: colorimetry), shift: 2))
    #expect(small.grow == 3)
    #expect(large.grow == 4.5)
    #expect(small.feather == 2)
    #expect(large.feather == 3)
  }
}
