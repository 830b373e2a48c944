import InferenceTypes
import PixelTypes
import Testing

@testable import Matting

@Suite struct ViewTrackingTests {
  private let format = FrameFormat(
    width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))

  private func tracking(share: Double = 0.9) -> ViewTracking {
    ViewTracking(
      format: format, aspect: 4.0 / 3, framing: Framing(margin: 0.1, greatestShare: share))
  }

  private func holds(_ view: PixelRegion, _ part: PixelRegion) -> Bool {
    view.x <= part.x && view.y <= part.y && view.endX >= part.endX && view.endY >= part.endY
  }

  private let person = PixelRegion(x: 500, y: 300, width: 200, height: 420)

  @Test func theViewBeginsWithTheWholeFrame() {
    #expect(tracking().isWhole)
    #expect(tracking().view == PixelRegion(wholeOf: format))
  }

  @Test func aSmallPersonIsLookedAtClosely() {
    var tracking = tracking()
    tracking.follow(person, isNew: true)
    #expect(holds(tracking.view, person))
    #expect(tracking.view.area < format.width * format.height / 2)
    #expect(tracking.view.endY == 720)
    // No farther from the network's shape than people can be stretched.
    let aspect = Double(tracking.view.width) / Double(tracking.view.height)
    #expect(aspect > 4.0 / 3 / 1.31 && aspect < 4.0 / 3 * 1.31)
  }

  /// The margin is a tenth: of the height where people are far, else of the larger extent.
  @Test(arguments: [
    (PixelRegion(x: 500, y: 240, width: 300, height: 240), 24),
    (PixelRegion(x: 500, y: 200, width: 320, height: 300), 32),
    (PixelRegion(x: 500, y: 240, width: 200, height: 240), 24),
  ])
  func theMarginOfFarPeopleIsThatOfTheirHeight(_ people: PixelRegion, _ margin: Int) {
    var tracking = tracking()
    tracking.follow(people, isNew: true)
    #expect(tracking.view.y == people.y - margin)
    #expect(tracking.view.height == people.height + 2 * margin)
  }

  @Test(arguments: [
    PixelRegion(x: 0, y: 0, width: 1, height: 1),
    PixelRegion(x: 1279, y: 719, width: 1, height: 1),
    PixelRegion(x: 0, y: 0, width: 1280, height: 3), PixelRegion(x: 0, y: 0, width: 3, height: 720),
    PixelRegion(x: 640, y: 0, width: 640, height: 720),
  ])
  func theViewStaysInTheFrame(people: PixelRegion) {
    var tracking = tracking()
    tracking.follow(people, isNew: true)
    #expect(holds(PixelRegion(wholeOf: format), tracking.view))
    #expect(holds(tracking.view, people))
  }

  @Test func tremblingDoesNotMoveTheView() {
    var tracking = tracking()
    tracking.follow(person, isNew: true)
    let view = tracking.view
    for i in 0..<100 {
      var trembling = person
      trembling.x += i % 3 * 4
      trembling.width -= i % 2 * 6
      tracking.follow(trembling)
      #expect(tracking.view == view)
    }
  }

  @Test func theViewFollowsAtOnceWhenSomebodyComesNearItsEdge() {
    var tracking = tracking()
    tracking.follow(person, isNew: true)
    var moved = person
    moved.x = tracking.view.endX - moved.width
    tracking.follow(moved)
    #expect(holds(tracking.view, moved))
    #expect(tracking.view.endX > moved.endX)
  }

  @Test func itBecomesSmallerOnlyAfterAWhile() {
    var tracking = tracking()
    tracking.follow(PixelRegion(wholeOf: format), isNew: true)
    #expect(tracking.isWhole)
    for _ in 0..<14 { tracking.follow(person) }
    #expect(tracking.isWhole)
    tracking.follow(person)
    #expect(!tracking.isWhole)
  }

  @Test func aNewViewIsFoundAtOnce() {
    var tracking = tracking()
    tracking.follow(person.union(PixelRegion(x: 100, y: 20, width: 50, height: 50)), isNew: true)
    let view = tracking.view
    tracking.follow(person, isNew: true)
    #expect(tracking.view.area < view.area)
  }

  @Test func whoEntersElsewhereIsIncluded() {
    var tracking = tracking()
    tracking.follow(person, isNew: true)
    tracking.include(person)
    let view = tracking.view
    let newcomer = PixelRegion(x: 60, y: 350, width: 150, height: 370)
    tracking.include(newcomer.union(person))
    #expect(tracking.view != view)
    #expect(holds(tracking.view, newcomer) && holds(tracking.view, person))
  }

  @Test func withNobodyThereTheWholeFrameIsLookedAt() {
    var tracking = tracking()
    tracking.follow(person, isNew: true)
    tracking.follow(nil)
    #expect(tracking.isWhole)
    tracking.follow(person)
    tracking.reset()
    #expect(tracking.isWhole)
  }

  @Test func aViewOfNearlyAllIsTheWholeFrame() {
    var tracking = tracking(share: 0.6)
    tracking.follow(PixelRegion(x: 200, y: 0, width: 800, height: 720), isNew: true)
    #expect(tracking.isWhole)
  }
}
