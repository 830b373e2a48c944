import CAllocationCounter
import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

/// Somebody comes in at the left or the right of the person whom `keep` leaves.
@Suite struct NewcomersTests {
  private typealias Painter = MatteScene.Painter

  /// A second of a camera, and a little more.
  private let second = MatteClock.ticks(seconds: 1) + 2

  private func scene(_ keep: EffectSettings.Keep = .nearest) -> MatteScene {
    var scene = MatteScene()
    scene.keep = keep
    return scene
  }

  /// The person, in the columns from 105 to 215.
  private func person(_ painter: Painter) { painter.person(160) }

  /// What is seen first of a newcomer, as near to the person as a hand would be.
  private func shoulder(_ painter: Painter, alpha: UInt8 = 200) {
    painter.fill(0..<95, 165..<180, alpha)
  }

  /// The same of one who touches the person, and more of them.
  private func joined(_ painter: Painter) {
    person(painter)
    painter.fill(0..<125, 140..<180, 255)
  }

  /// The person, beside whom a newcomer is seen, too faintly to count as somebody of their own.
  private func sceneWithNewcomer() -> MatteScene {
    let scene = scene()
    scene.infer(times: 5, person)
    scene.infer(times: 2) {
      person($0)
      shoulder($0, alpha: 130)
    }
    return scene
  }

  @Test(arguments: [EffectSettings.Keep.nearest, .tracked])
  func aShoulderAtASideIsNoLimb(keep: EffectSettings.Keep) {
    let scene = scene(keep)
    scene.infer(times: 5, person)
    for _ in 0..<10 {
      let result = scene.infer {
        person($0)
        shoulder($0)
      }
      #expect(result.isEmpty(0..<95) && result.isUntouched(100..<320))
    }
  }

  @Test func theRightSideIsTheSame() {
    let scene = scene()
    scene.infer(times: 5, person)
    let result = scene.infer {
      person($0)
      $0.fill(225..<320, 165..<180, 200)
    }
    #expect(result.isEmpty(225..<320) && result.isUntouched(0..<220))
  }

  @Test func whoeverIsThereAtFirstIsNotNew() {
    let result = scene().infer {
      person($0)
      shoulder($0)
    }
    #expect(result.isUntouched)
  }

  @Test func everyoneIsShownWhoeverComes() {
    let scene = scene(.everyone)
    scene.infer(times: 5, person)
    let result = scene.infer {
      person($0)
      shoulder($0)
    }
    #expect(result.isUntouched)
  }

  @Test func theSideIsThatOfWhatTheNetworkSees() {
    var scene = scene()
    let paint: (Painter) -> Void = {
      person($0)
      $0.fill(40..<95, 165..<180, 200)
    }
    scene.infer(times: 5, person)
    #expect(scene.infer(paint).isUntouched)
    scene.infer(times: 5, person)
    scene.seen = 38..<320
    #expect(scene.infer(paint).isEmpty(40..<95))
  }

  /// An arm in these rows grows from the person to the left side.
  private func stretchArm(_ scene: MatteScene, _ rows: Range<Int>) -> [MatteScene.Result] {
    stride(from: 112, through: 0, by: -14).map { column in
      scene.infer {
        person($0)
        $0.fill(column..<125, rows, 255)
      }
    }
  }

  @Test func anArmMayReachASide() {
    let scene = scene()
    scene.infer(times: 5, person)
    for result in stretchArm(scene, 120..<135) { #expect(result.isUntouched) }
  }

  @Test func aHandComesBackWhereTheArmWentOut() {
    let scene = scene()
    func handAfter(_ pause: Int, _ rows: Range<Int> = 165..<180) -> MatteScene.Result {
      _ = stretchArm(scene, 165..<180)
      scene.infer(times: pause, person)
      return scene.infer {
        person($0)
        $0.fill(0..<95, rows, 200)
      }
    }
    scene.infer(times: 3, person)
    #expect(handAfter(5).isUntouched)
    #expect(handAfter(5, 130..<145).isUntouched)
    #expect(handAfter(second).isEmpty(0..<95))
  }

  @Test func besideTheShouldersOfACloseUpSomebodyMayComeIn() {
    let scene = scene()
    func close(_ painter: Painter) {
      person(painter)
      painter.fill(0..<320, 165..<180, 255)
    }
    scene.infer(times: 5, close)
    let result = scene.infer {
      close($0)
      $0.fill(0..<40, 60..<100, 200)
    }
    for y in 60..<100 { #expect((0..<40).allSatisfy { result.alpha($0, y) == 0 }) }
    for y in 165..<180 { #expect((0..<320).allSatisfy { result.alpha($0, y) == 255 }) }
    // Above the shoulder, and one part with it.
    let joined = scene.infer {
      close($0)
      $0.fill(0..<40, 60..<180, 255)
    }
    for y in 60..<160 { #expect((0..<40).allSatisfy { joined.alpha($0, y) == 0 }) }
    for y in 165..<180 { #expect((0..<320).allSatisfy { joined.alpha($0, y) == 255 }) }
  }

  @Test func whoWalksInAloneIsShown() {
    for isMirrored in [false, true] {
      let scene = scene()
      scene.infer(times: 5) { _ in }
      for x in stride(from: -60.0, through: 20, by: 5) {
        let result = scene.infer { $0.person(isMirrored ? 320 - x : x) }
        // Before that the head is a part of its own, and has to stay for a while.
        if x >= -15 { #expect(result.isUntouched, "at \(x)") }
      }
    }
  }

  @Test func aPartWhereANewcomerWasIsTheirsForAWhile() {
    let scene = scene()
    func hand(_ painter: Painter) {
      person(painter)
      painter.fill(80..<97, 165..<180, 200)
    }
    scene.infer(times: 5, person)
    #expect(scene.infer(hand).isUntouched)
    for (pause, isHidden) in [(1, true), (MatteClock.ticks(seconds: 0.3) + 1, false)] {
      scene.infer(times: 3) {
        person($0)
        $0.fill(0..<70, 165..<180, 200)
      }
      scene.infer(times: pause, person)
      let result = scene.infer(hand)
      #expect(isHidden ? result.isEmpty(80..<97) : result.isUntouched)
      scene.infer(times: second, person)
    }
  }

  @Test func whoJoinsThePersonStaysHiddenUntilTheFaceShouldBeSeen() {
    let scene = sceneWithNewcomer()
    for _ in 0..<second {
      let result = scene.infer(joined)
      // Above the shoulder nothing was seen of them.
      #expect(result.isEmpty(0..<80) && result.isUntouched(125..<320))
    }
    #expect(scene.infer(times: second, joined).isUntouched)
  }

  /// Somebody who touches the person in the first frame in which they are seen.
  private func touching(_ painter: Painter, isMirrored: Bool = false) {
    person(painter)
    painter.fill(isMirrored ? 270..<320 : 0..<50, 60..<180, 255)
    painter.fill(isMirrored ? 195..<320 : 0..<125, 150..<180, 255)
  }

  @Test(arguments: [false, true])
  func whoTouchesThePersonAtOnceIsHiddenForAWhile(isMirrored: Bool) {
    let scene = scene()
    scene.infer(times: 5, person)
    for _ in 0..<second {
      let result = scene.infer { touching($0, isMirrored: isMirrored) }
      #expect(result.isEmpty(isMirrored ? 225..<320 : 0..<95))
      #expect(result.isUntouched(isMirrored ? 0..<195 : 125..<320))
    }
    scene.infer(times: second) { touching($0, isMirrored: isMirrored) }
    for _ in 0..<second {
      #expect(scene.infer { touching($0, isMirrored: isMirrored) }.isUntouched)
    }
  }

  @Test func afterALongPauseALimbMayBeAnywhere() {
    var scene = scene()
    scene.infer(times: 5, person)
    scene.ticks = MatteClock.ticks(seconds: 0.3) + 1
    #expect(scene.infer { touching($0) }.isUntouched)
  }

  @Test func whoeverAViewShowsThatBecomesWiderIsNew() {
    var scene = scene()
    scene.seen = 60..<320
    scene.infer(times: 5, person)
    scene.seen = 0..<320
    func besideTheView(_ painter: Painter) {
      person(painter)
      painter.fill(20..<125, 110..<180, 255)
    }
    #expect(scene.infer(besideTheView).isEmpty(20..<60))
    // The same where the view has been as wide.
    let other = self.scene()
    other.infer(times: 5, person)
    #expect(other.infer(besideTheView).isUntouched)
  }

  @Test func whoComesAloneIsNotCut() {
    let scene = scene()
    scene.infer(times: 5) { _ in }
    scene.infer(times: 2) { $0.fill(0..<60, 165..<180, 255) }
    #expect(scene.infer { $0.person(40) }.isUntouched)
  }

  @Test func whoJoinedAndComesApartAgainIsNoLimb() {
    let scene = sceneWithNewcomer()
    scene.infer(times: 5, joined)
    let result = scene.infer {
      person($0)
      shoulder($0, alpha: 130)
    }
    #expect(result.isEmpty(0..<95) && result.isUntouched(105..<320))
    #expect(scene.infer(joined).isEmpty(0..<80))
  }

  @Test func aHandThatLeavesTheSideIsALimbAgain() {
    let scene = scene()
    scene.infer(times: 5, person)
    scene.infer(times: 5) {
      person($0)
      shoulder($0, alpha: 255)
    }
    func hand(_ painter: Painter) {
      person(painter)
      painter.fill(60..<97, 165..<180, 255)
    }
    #expect(scene.infer(hand).isEmpty(60..<97))
    #expect(scene.infer(times: MatteClock.ticks(seconds: 0.3), hand).isUntouched)
  }

  @Test func aHandThatTouchesTheBodyIsShownAfterAWhile() {
    let scene = scene()
    scene.infer(times: 5, person)
    // Sure, and there for long enough to count as a person if it were far from everyone.
    scene.infer(times: 10) {
      person($0)
      shoulder($0, alpha: 255)
    }
    #expect(scene.infer(joined).isEmpty(0..<80))
    #expect(scene.infer(times: 2 * second, joined).isUntouched)
  }

  @Test func theOrderOfPartsIsOfNoAccount() {
    let scene = scene()
    scene.infer(times: 5, person)
    let result = scene.infer {
      person($0)
      // The upper part does not reach the side, and comes first.
      $0.fill(60..<97, 140..<150, 200)
      shoulder($0)
    }
    #expect(result.isEmpty(0..<97))
  }

  @Test func anotherChoiceForgetsNewcomers() {
    var scene = sceneWithNewcomer()
    scene.keep = .tracked
    #expect(scene.infer(joined).isUntouched)
    scene.keep = .nearest
    #expect(scene.infer { touching($0) }.isUntouched)
  }

  @Test(.enabled(if: allocation_counter_works()))
  func nothingIsAllocated() {
    let scene = scene()
    func painted(_ paint: (Painter) -> Void) -> Raster<UInt8> {
      let painter = Painter()
      paint(painter)
      return painter.matte
    }
    let (alone, joined) = ([painted(person), painted(person)], [painted(joined), painted(joined)])
    let beside = (0..<2).map { _ in
      painted {
        person($0)
        shoulder($0)
      }
    }
    // They come alone, become one part with the person, and go.
    let mattes = [alone[0], beside[0]] + joined + [beside[1], alone[1]]
    var allocations = 0
    for matte in mattes {
      let before = allocation_counter_count()
      scene.apply(to: matte)
      allocations += Int(allocation_counter_count() - before)
    }
    #expect(allocations == 0)
    // The newcomer was taken out of each.
    for matte in beside + joined { #expect(unsafe matte.row(175)[10] == 0) }
  }
}
