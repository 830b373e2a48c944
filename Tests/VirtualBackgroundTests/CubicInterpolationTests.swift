import PixelTypes
import Testing

@testable import Matting

@Suite struct CubicInterpolationTests {
  private let interpolation = CubicInterpolation()

  private func matte(_ width: Int, _ height: Int, _ alpha: (Int, Int) -> Int) -> Raster<UInt8> {
    let matte = Raster<UInt8>(width: width, height: height, filledWith: 0)
    for y in 0..<height {
      for x in 0..<width { unsafe matte.row(y)[x] = UInt8(alpha(x, y)) }
    }
    return matte
  }

  @Test func samplesAreAsTheyAre() {
    let matte = matte(9, 7) { x, y in (x * 71 + y * 113) % 256 }
    for y in 0..<7 {
      for x in 0..<9 {
        #expect(unsafe interpolation.sample(matte, 16 * x, 16 * y) == matte.row(y)[x])
      }
    }
  }

  @Test func aSlopeStaysStraight() {
    let matte = matte(12, 12) { x, y in 10 + 12 * x + 8 * y }
    for y in 16..<144 {
      for x in 16..<144 {
        let expected = 10 + 12 * Double(x) / 16 + 8 * Double(y) / 16
        let found = Double(interpolation.sample(matte, x, y))
        // The weights are rounded to 1/128.
        #expect(abs(found - expected) <= 1.5, "\(x) \(y)")
      }
    }
  }

  /// A mean of the nearest two would be half of the way at each edge of the line.
  @Test func aLineStaysSharperThanByMeans() {
    let matte = matte(12, 3) { x, _ in x == 5 || x == 6 ? 255 : 0 }
    #expect(interpolation.sample(matte, 5 * 16 + 8, 16) == 255)
    #expect(interpolation.sample(matte, 4 * 16 + 4, 16) < 64)
    #expect(interpolation.sample(matte, 3 * 16 + 8, 16) == 0)
  }

  /// Beside an edge the spline would go beyond what alpha can be.
  @Test func alphaStaysWithinItsRange() {
    let matte = matte(12, 3) { x, _ in x < 6 ? 0 : 255 }
    for part in 0..<16 {
      #expect(interpolation.sample(matte, 4 * 16 + part, 16) == 0)
      #expect(interpolation.sample(matte, 6 * 16 + part, 16) == 255)
    }
  }

  @Test(arguments: [(1, 1), (2, 5), (9, 7)]) func itGoesOnBeyondItsBorders(width: Int, height: Int)
  {
    let matte = matte(width, height) { x, y in (x * 71 + y * 113) % 256 }
    for (x, y) in [(-1600, -1600), (-64, 0), (1600, 1600), (16 * width, 16 * height)] {
      let (column, row) = (min(max(x / 16, 0), width - 1), min(max(y / 16, 0), height - 1))
      #expect(unsafe interpolation.sample(matte, x, y) == matte.row(row)[column])
    }
    // What is read stays within, whatever the part of a sample.
    for part in 0..<16 { _ = interpolation.sample(matte, 5000 + part, -5000 - part) }
  }
}
