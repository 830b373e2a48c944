import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import PersonSelection

/// Two people as two rectangles in one silhouette, in mattes of 120 x 90.
@Suite struct OcclusionContourTests {
  private static let colorimetry = Colorimetry(matrix: .bt601, range: .limited)
  private static let format = FrameFormat(width: 120, height: 90, colorimetry: colorimetry)
  private func body(_ x: Double, y: Double = 30, width: Double = 20) -> FacePosition {
    FacePosition(x: x, y: y, width: width)
  }

  /// A sanitizer would find a read outside the mattes.
  @Test(
    "reads nothing outside mattes of any size",
    arguments: [(1, 1), (1, 9), (2, 1), (17, 18), (33, 19)])
  func oddSizes(width: Int, height: Int) {
    let format = FrameFormat(
      width: max(width, 16), height: max(height, 16), colorimetry: Self.colorimetry)
    let picture = TestPicture(format: format)
    var grid = MatteGrid(format: format, shift: 0)
    (grid.width, grid.height) = (width, height)
    let matte = Raster<UInt8>(width: width, height: height, filledWith: 255)
    let contour = OcclusionContour(grid: grid)
    let owners = Raster<Int8>(width: width, height: height, filledWith: 1)
    for past in [nil, (owners, 1), (owners, -1)] as [(Raster<Int8>, Float)?] {
      withExtendedLifetime(picture) {
        contour.find(
          body(4, width: 6), before: body(14, width: 6), in: matte, picture: picture.frame,
          past: past)
      }
      for y in 0..<height {
        let found = contour.columns(inRow: y)
        #expect(found.lowerBound >= 0 && found.upperBound <= width)
      }
    }
  }
}
