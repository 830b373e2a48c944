import TestSupport
import Testing

@testable import VirtualBackground

/// Frames for which the pace requests no inference.
@Suite struct StaleMatteTests {
  /// Returns the share of the frame that is shown outside the person at `corner`.
  private func shareShown(
    _ picture: TestPicture, _ scene: ReuseScene, besides corner: (x: Int, y: Int)?
  ) -> Double {
    var count = 0
    for y in 0..<scene.format.height {
      for x in 0..<scene.format.width where picture.luma(x, y) > 125 {
        let isNear = corner.map {
          ($0.x - 4..<$0.x + MovingScene.extent + 4).contains(x)
            && ($0.y - 4..<$0.y + MovingScene.extent + 4).contains(y)
        }
        if isNear != true { count += 1 }
      }
    }
    return Double(count) / Double(scene.format.width * scene.format.height)
  }

  /// Returns a frame of the scene without the person.
  private func emptyFrame(_ scene: ReuseScene) -> TestPicture {
    let other = scene.frame(at: (x: 400, y: 200)), picture = scene.frame(at: (x: 200, y: 100))
    picture.frame.luma.change { x, y, old in
      200..<280 ~= x && 100..<180 ~= y ? UInt8(other.luma(x, y)) : old
    }
    picture.frame.chroma.change { x, y, old in
      unsafe 200..<280 ~= x && 50..<90 ~= y ? other.frame.chroma.row(y)[x] : old
    }
    return picture
  }

  @Test("infers at once when the person vanishes")
  func vanish() {
    let scene = ReuseScene()
    scene.process(scene.frame(at: (x: 200, y: 100)))
    for _ in 0..<3 {
      let empty = emptyFrame(scene)
      _ = scene.process(empty, infers: false)
      #expect(shareShown(empty, scene, besides: nil) == 0)
    }
  }

  @Test("shows no room next to a person who walks away", arguments: [3, 6, 15, 30, 60])
  func walkOut(speed: Int) {
    let scene = ReuseScene()
    for number in 0..<(360 / speed) {
      let corner = (x: 200 + speed * number, y: 100)
      let picture = scene.frame(at: corner, noise: 2, seed: UInt64(number))
      _ = scene.process(picture, infers: number == 0)
      #expect(shareShown(picture, scene, besides: corner) <= 0.01)
    }
  }

  @Test("infers after a cut until two mattes agree")
  func settles() {
    let scene = ReuseScene()
    scene.process(scene.frame(at: (x: 200, y: 100)))
    // The network finds less of an object with each frame.
    func outcome(_ coverage: Float) -> FrameOutcome {
      scene.segmenter.alpha = { _, _, _, x, _ in Float(x) < coverage * 320 ? 1 : 0 }
      return scene.process(scene.frameOfAnotherScene(), infers: false)
    }
    for coverage: Float in [0.3, 0.2, 0.1, 0, 0] {
      #expect(outcome(coverage) == .composed(inferred: true))
    }
    #expect(outcome(0.3) == .composed(inferred: false))
  }

  @Test("infers at once when keep changes")
  func keepChanges() {
    var scene = ReuseScene()
    scene.process(scene.frame(at: (x: 200, y: 100)))
    let still = scene.process(scene.frame(at: (x: 200, y: 100)), infers: false)
    #expect(still == .composed(inferred: false))
    scene.settings.matte.keep = .nearest
    let changed = scene.process(scene.frame(at: (x: 200, y: 100)), infers: false)
    #expect(changed == .composed(inferred: true))
  }

  @Test("chooses the nearest person again after a cut", arguments: [true, false])
  func peopleSwap(infersEveryFrame: Bool) {
    var scene = ReuseScene()
    scene.settings.matte.keep = .nearest
    // A large person on one side and a small one on the other.
    func frame(largeIsLeft: Bool) -> TestPicture {
      let picture = TestPicture(format: scene.format, Scene.room)
      let (large, small) = largeIsLeft ? (100, 460) : (460, 100)
      func isLarge(_ x: Int, _ y: Int) -> Bool { (large..<large + 120) ~= x && y >= 80 }
      func isSmall(_ x: Int, _ y: Int) -> Bool { (small..<small + 80) ~= x && y >= 160 }
      picture.paint(Scene.person) { isLarge($0, $1) || isSmall($0, $1) }
      picture.frame.luma.change { x, y, _ in
        let (seed, darkest, left): (UInt64, Int, Int) =
          isLarge(x, y) ? (3, 20, large) : isSmall(x, y) ? (5, 90, small) : (1, 60, 0)
        return UInt8(darkest + MovingScene.texture(x - left, y, seed: seed) / 2)
      }
      return picture
    }
    func shows(_ picture: TestPicture, _ x: Int) -> Bool { picture.luma(x, 300) > 125 }
    for number in 0..<30 {
      let picture = frame(largeIsLeft: number < 15)
      _ = scene.process(picture, infers: infersEveryFrame || number == 0)
      #expect(shows(picture, 160 - (number < 15 ? 0 : 20)) == (number < 15), "frame \(number)")
      #expect(shows(picture, 500) == (number >= 15), "frame \(number)")
    }
  }
}
