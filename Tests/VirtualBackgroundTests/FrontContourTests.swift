import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import PersonSelection

/// Two people as two rectangles in one silhouette, in mattes of 120 x 90.
@Suite struct FrontContourTests {
  private static let colorimetry = Colorimetry(matrix: .bt601, range: .limited)
  private static let format = FrameFormat(width: 120, height: 90, colorimetry: colorimetry)
  private let grid = MatteGrid(format: format, shift: 0)

  private func matte(_ isSolid: (_ x: Int, _ y: Int) -> Bool) -> Raster<UInt8> {
    let matte = Raster<UInt8>(width: grid.width, height: grid.height, filledWith: 0)
    for y in 0..<grid.height {
      for x in 0..<grid.width where isSolid(x, y) { unsafe matte.row(y)[x] = 255 }
    }
    return matte
  }

  private func body(_ x: Double, y: Double = 30, width: Double = 20) -> BodyOutline.Body {
    BodyOutline.Body(x: x, y: y, width: width)
  }

  /// The columns of the one in front, in each row of a picture.
  private func columns(
    _ front: BodyOutline.Body, before behind: BodyOutline.Body, in matte: Raster<UInt8>,
    _ isRed: (_ x: Int, _ y: Int) -> Bool = { _, _ in false }
  ) -> [Range<Int>] {
    let picture = TestPicture(format: Self.format)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 200, green: 40, blue: 30, where: isRed)
    let contour = FrontContour(grid: grid)
    withExtendedLifetime(picture) {
      contour.find(front, before: behind, in: matte, picture: picture.frame)
    }
    return (0..<grid.height).map { contour.columns(inRow: $0) }
  }

  @Test func theContourFollowsTheColors() {
    let all = matte { x, _ in 20..<100 ~= x }
    // The edge lies to the right of the middle between both.
    let found = columns(body(40), before: body(80), in: all) { x, _ in x < 66 }
    for row in found[10..<80] { #expect(row.upperBound == 66 && row.lowerBound <= 20) }
  }

  @Test func theContourFollowsACorner() {
    let all = matte { x, _ in 20..<100 ~= x }
    // A shoulder that reaches below the other's face.
    let found = columns(body(40), before: body(80), in: all) { x, y in x < (y < 56 ? 54 : 72) }
    for row in found[12..<54] { #expect(row.upperBound == 54) }
    for row in found[58..<90] { #expect(row.upperBound == 72) }
  }

  @Test func colorsFarFromTheBodyAreLearnedFromTheFirstContour() {
    let all = matte { x, _ in 20..<100 ~= x }
    // Long hair, an arm: by its place a part of it is the other's for sure.
    let found = columns(body(40), before: body(80), in: all) { x, y in x < (y < 52 ? 62 : 92) }
    for row in found[14..<50] { #expect(row.upperBound == 62) }
    for row in found[54..<90] { #expect(row.upperBound == 92) }
  }

  @Test func aFaceWhoseMiddleIsHiddenDoesNotCutTheOneInFront() {
    let all = matte { x, _ in 20..<100 ~= x }
    let found = columns(body(44, width: 24), before: body(64, y: 34), in: all) { x, _ in x < 66 }
    for row in found[10..<80] { #expect(row.upperBound == 66) }
  }

  @Test func theFirstContourStaysWhereItLeavesTooLittleToLearnFrom() {
    // Of the other little more than the hair is seen.
    let seen = matte { x, y in 20..<70 ~= x || 70..<75 ~= x && 15..<19 ~= y }
    let found = columns(
      body(49, y: 32, width: 17), before: body(69, y: 29, width: 13), in: seen
    ) { x, _ in x < 70 }
    for row in found[20..<75] { #expect(row.upperBound == 70) }
  }

  @Test func withoutColorsPlacesDecide() {
    let all = matte { x, _ in 20..<100 ~= x }
    let found = columns(body(40), before: body(80), in: all)
    for row in found[20..<60] { #expect(52...68 ~= row.upperBound && row.lowerBound <= 20) }
  }

  @Test func aChildBeforeAnAdult() {
    let all = matte { x, _ in 10..<110 ~= x }
    let found = columns(body(60, y: 60, width: 16), before: body(60, y: 18, width: 20), in: all) {
      x, y in y > 46 && 46..<74 ~= x
    }
    for row in found[76..<90] { #expect(row.contains(60)) }
    for row in found[8..<36] { #expect(!row.contains(60)) }
  }

  @Test func whoIsApartKeepsAllOfTheirs() {
    let apart = matte { x, _ in 15..<50 ~= x || 70..<105 ~= x }
    for row in columns(body(32), before: body(88), in: apart)[5..<85] {
      #expect(row.lowerBound <= 15 && 50...70 ~= row.upperBound)
    }
  }

  @Test func whoIsFarAwayGetsNothing() {
    let all = matte { x, _ in 20..<100 ~= x }
    for row in columns(body(60), before: body(240), in: all)[10..<80] {
      #expect(row.lowerBound <= 20 && row.upperBound >= 100)
    }
    for row in columns(body(240), before: body(60), in: all)[10..<80] {
      #expect(row.lowerBound >= 100)
    }
  }

  @Test func thePastHoldsTheContour() {
    let all = matte { x, _ in 20..<100 ~= x }
    let picture = TestPicture(format: Self.format)
    picture.paint(red: 20, green: 60, blue: 220)
    let contour = FrontContour(grid: grid)
    func end(_ border: Int) -> Int {
      let past = Raster<Int8>(width: grid.width, height: grid.height, filledWith: 1)
      for y in 0..<grid.height { for x in border..<grid.width { unsafe past.row(y)[x] = -1 } }
      withExtendedLifetime(picture) {
        contour.find(
          body(40), before: body(80), in: all, picture: picture.frame, past: (past, 1))
      }
      return contour.columns(inRow: 30).upperBound
    }
    #expect(end(58) < end(64))
  }

  @Test func clothesStayWithThoseWhoseTheyWere() {
    // Of the other the head is seen, and below it clothes that by their place are rather of the one in front.
    let seen = matte { x, y in 20..<(y < 45 ? 100 : 66) ~= x }
    let picture = TestPicture(format: Self.format)
    picture.paint(red: 40, green: 180, blue: 60)
    picture.paint(red: 20, green: 60, blue: 220) { _, y in y >= 45 }
    picture.paint(red: 200, green: 40, blue: 30) { x, y in x < (y < 45 ? 66 : 60) }
    let past = Raster<Int8>(width: grid.width, height: grid.height, filledWith: -1)
    for y in 0..<grid.height { for x in 0..<(y < 45 ? 66 : 60) { unsafe past.row(y)[x] = 1 } }
    let contour = FrontContour(grid: grid)
    func end(_ past: (Raster<Int8>, Float)?) -> Int {
      withExtendedLifetime(picture) {
        contour.find(
          body(40), before: body(80), in: seen, picture: picture.frame, past: past)
      }
      return contour.columns(inRow: 70).upperBound
    }
    #expect(end(nil) >= 66)
    #expect(end((past, 1)) == 60)
  }

  /// Nothing beyond the mattes is read, which a sanitizer would find.
  @Test(arguments: [(1, 1), (1, 9), (2, 1), (17, 18), (33, 19)])
  func oddSizes(width: Int, height: Int) {
    let format = FrameFormat(
      width: max(width, 16), height: max(height, 16), colorimetry: Self.colorimetry)
    let picture = TestPicture(format: format)
    var grid = MatteGrid(format: format, shift: 0)
    (grid.width, grid.height) = (width, height)
    let matte = Raster<UInt8>(width: width, height: height, filledWith: 255)
    let contour = FrontContour(grid: grid)
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

  @Test func ofSomebodyBesideBothShouldersAreSeen() {
    func share(_ distance: Double, width: Double = 20) -> Float {
      BodyOutline.shareBeside(body(100), body(100 - distance, width: width))
    }
    #expect(share(0) == 0 && share(24) == 0 && share(36) == 0.5 && share(48) == 1)
    #expect(share(-36) == 0.5 && share(200) == 1)
    // Of faces of two sizes the mean counts.
    #expect(share(54, width: 40) == 0.5)
  }
}
