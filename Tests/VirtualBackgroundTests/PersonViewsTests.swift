import InferenceTypes
import PixelTypes
import Testing

@testable import Matting

@Suite struct PersonViewsTests {
  private let whole = PixelRegion(x: 0, y: 0, width: 1280, height: 720)
  private let left = PixelRegion(x: 100, y: 300, width: 200, height: 420)
  private let right = PixelRegion(x: 900, y: 400, width: 160, height: 320)
  private let halfSecond = MatteClock.ticks(seconds: 0.5)

  private func people(_ people: PixelRegion...) -> PersonViews {
    var views = newViews()
    views.follow(people, in: whole, after: 1)
    return views
  }

  private func newViews() -> PersonViews {
    let format = FrameFormat(
      width: 1280, height: 720, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    return PersonViews(
      ViewTracking(format: format, aspect: 1, framing: Framing(margin: 0.04, greatestShare: 0.6)))
  }

  @Test func peopleWhoAreApartAreLookedAtOneByOne() {
    let views = people(left, right)
    #expect(views.areUsed)
    #expect(views.views.count == 2)
    for (view, person) in zip(views.views, [left, right]) {
      #expect(view.view.union(person) == view.view)
      #expect(view.view.area < whole.area / 3)
    }
  }

  @Test func oneOrManyAreLookedAtTogether() {
    #expect(!people().areUsed)
    #expect(!people(left).areUsed)
    let many = (0..<4).map { PixelRegion(x: 300 * $0, y: 500, width: 100, height: 200) }
    #expect(!people(many[0], many[1], many[2], many[3]).areUsed)
    #expect(people(many[0], many[1], many[2]).areUsed)
  }

  @Test func viewsThatShowNobodyLargerAreNotUsed() {
    let wide = PixelRegion(x: 0, y: 20, width: 700, height: 700)
    #expect(!people(wide, PixelRegion(x: 720, y: 20, width: 560, height: 700)).areUsed)
  }

  @Test func aViewFollowsItsPersonInWhateverOrder() {
    var views = people(left, right)
    let before = views.views.map(\.view)
    views.follow([right, left], in: whole, after: 1)
    #expect(views.views.map(\.view) == before.reversed())
  }

  @Test func whoeverLeavesTakesTheViewAlong() {
    var views = people(left, right)
    views.follow([right], in: whole, after: 1)
    #expect(!views.areUsed && views.views.isEmpty)
  }

  @Test func peopleWhoTouchedAreLookedAtTogetherForAWhile() {
    var views = people(left, right)
    views.follow([left.union(right)], in: whole, after: 1)
    var ticks = 0
    while !views.areUsed && ticks < 2 * halfSecond {
      views.follow([left, right], in: whole, after: 1)
      ticks += 1
    }
    #expect(ticks == halfSecond)
    views.reset()
    views.follow([left, right], in: whole, after: 1)
    #expect(views.areUsed)
  }

  @Test func somebodyWhomOnlyTheOverviewSeesIsNotLeftOut() {
    var views = people(left, right)
    views.include([left, right])
    #expect(views.areUsed)
    views.include([left, PixelRegion(x: 500, y: 200, width: 100, height: 200)])
    #expect(!views.areUsed)
  }
}
