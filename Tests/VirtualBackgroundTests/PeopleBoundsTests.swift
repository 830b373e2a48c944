import PixelTypes
import Testing

@testable import VirtualBackground

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

  @Test(arguments: [(360, 640), (400, 400), (640, 360)])
  func nobodyIsSideBySide(_ width: Int, _ height: Int) {
    let scene = Scene(
      FrameFormat(
        width: width, height: height, colorimetry: Colorimetry(matrix: .bt709, range: .limited)))
    #expect(scene.find { _, _ in 0 } == nil && !scene.bounds.areSideBySide)
    #expect(scene.find { ($0, $1) == (30, 20) ? 255 : 0 } == nil && !scene.bounds.areSideBySide)
  }

  @Test func furnitureBesideSomebodyIsNobody() {
    let scene = Scene(format)
    let region = scene.find { x, y in
      y < 30 ? 0 : 20..<60 ~= x ? 255 : 100..<140 ~= x ? 150 : 0
    }
    #expect(region != nil && !scene.bounds.areSideBySide)
  }

  /// A picture of people: names them where a test fails.
  struct People: CustomTestStringConvertible {
    let testDescription: String
    let areSideBySide: Bool
    /// Columns and rows of the parts that show them, on the grid of 160 by 90 samples.
    let parts: [(columns: Range<Int>, rows: Range<Int>)]
  }

  static let people = [
    People(
      testDescription: "apart", areSideBySide: true,
      parts: [(10..<50, 30..<90), (100..<150, 20..<90)]),
    People(
      testDescription: "shoulder to shoulder", areSideBySide: true,
      parts: [(20..<50, 30..<90), (90..<130, 20..<90), (50..<90, 70..<90)]),
    People(
      testDescription: "a child", areSideBySide: true,
      parts: [(20..<35, 60..<90), (60..<140, 10..<90)]),
    People(
      testDescription: "head and shoulders", areSideBySide: false,
      parts: [(70..<90, 20..<60), (40..<120, 50..<90)]),
    People(
      testDescription: "an arm held up", areSideBySide: false,
      parts: [(70..<90, 20..<60), (40..<140, 50..<90), (132..<140, 20..<50)]),
    People(
      testDescription: "a hand that waves", areSideBySide: false,
      parts: [(70..<90, 20..<60), (40..<140, 50..<90), (125..<140, 38..<50)]),
    People(
      testDescription: "on two legs", areSideBySide: false,
      parts: [(60..<100, 5..<50), (60..<76, 50..<90), (84..<100, 50..<90)]),
    People(
      testDescription: "before a stain", areSideBySide: false,
      parts: [(20..<100, 30..<90), (130..<132, 30..<90)]),
  ]

  @Test(arguments: people)
  func peopleSideBySideAreTold(_ people: People) {
    let scene = Scene(format)
    let region = scene.find { x, y in
      people.parts.contains { $0.columns ~= x && $0.rows ~= y } ? 255 : 0
    }
    #expect(region != nil && scene.bounds.areSideBySide == people.areSideBySide)
    #expect(scene.find { _, _ in 0 } == nil && !scene.bounds.areSideBySide)
  }

  @Test func noiseIsLookedAtAsAWhole() {
    #expect(bounds { x, y in (x + y) % 2 == 0 ? 255 : 0 } == PixelRegion(wholeOf: format))
    #expect(bounds { x, y in x % 2 + y % 2 == 0 ? 255 : 0 } == PixelRegion(wholeOf: format))
  }
}
