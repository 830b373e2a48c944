import CAllocationCounter
import PixelTypes
import TestSupport
import Testing

@testable import Matting

/// A newcomer enters to the left or right of the person whom `keep` selects.
@Suite struct NewcomersTests {
  private typealias Painter = MatteScene.Painter

  /// Slightly more than a second, in inferences.
  private let second = MatteClock.ticks(seconds: 1) + 2

  private func scene(_ keep: MatteSettings.Keep = .nearest) -> MatteScene {
    var scene = MatteScene()
    scene.keep = keep
    return scene
  }

  /// The person, in the columns from 105 to 215.
  private func person(_ painter: Painter) { painter.person(160) }

  /// Paints the shoulder of a newcomer, so near to the person that it could be the person's hand.
  private func shoulder(_ painter: Painter, alpha: UInt8 = 200) {
    painter.fill(0..<95, 165..<180, alpha)
  }

  /// Paints the person, and a newcomer who touches them.
  private func joined(_ painter: Painter) {
    person(painter)
    painter.fill(0..<125, 140..<180, 255)
  }

  /// Returns a scene with a newcomer who is too faint to count as a person.
  private func sceneWithNewcomer() -> MatteScene {
    let scene = scene()
    scene.infer(times: 5, person)
    scene.infer(times: 2) {
      person($0)
      shoulder($0, alpha: 130)
    }
    return scene
  }

  @Test(
    "hides the shoulder of a newcomer at the border",
    arguments: [MatteSettings.Keep.nearest, .tracked])
  func shoulderAtBorder(keep: MatteSettings.Keep) {
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

  /// Extends an arm from the person to the left border in `rows`.
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

  @Test("shows a person who enters an empty room")
  func entersAlone() {
    for isMirrored in [false, true] {
      let scene = scene()
      scene.infer(times: 5) { _ in }
      for x in stride(from: -60.0, through: 20, by: 5) {
        let result = scene.infer { $0.person(isMirrored ? 320 - x : x) }
        // At smaller x, the head is a separate component, and a new component is hidden at first.
        if x >= -15 { #expect(result.isUntouched, "at \(x)") }
      }
    }
  }

  @Test("hides a newcomer who reaches the person, for one to two seconds")
  func joiningNewcomer() {
    let scene = sceneWithNewcomer()
    for _ in 0..<second {
      let result = scene.infer(joined)
      #expect(result.isEmpty(0..<80) && result.isUntouched(125..<320))
    }
    #expect(scene.infer(times: second, joined).isUntouched)
  }

  /// Paints a newcomer who touches the person in the newcomer's first frame.
  private func touching(_ painter: Painter, isMirrored: Bool = false) {
    person(painter)
    painter.fill(isMirrored ? 270..<320 : 0..<50, 60..<180, 255)
    painter.fill(isMirrored ? 195..<320 : 0..<125, 150..<180, 255)
  }

  @Test(
    "hides a newcomer who touches the person at once, for one to two seconds",
    arguments: [false, true])
  func touchingNewcomer(isMirrored: Bool) {
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
    // The newcomer enters, becomes one component with the person, and leaves.
    let mattes = [alone[0], beside[0]] + joined + [beside[1], alone[1]]
    var allocations = 0
    for matte in mattes {
      let before = allocation_counter_count()
      scene.apply(to: matte)
      allocations += Int(allocation_counter_count() - before)
    }
    #expect(allocations == 0)
    // The newcomer is removed from each matte.
    for matte in beside + joined { #expect(unsafe matte.row(175)[10] == 0) }
  }
}
