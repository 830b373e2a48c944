import InferenceTypes
import PixelTypes
import TestSupport
import Testing

@Suite struct WhenNeededTests {
  private func scene() -> ReuseScene {
    var scene = ReuseScene()
    scene.settings.inference = .whenNeeded
    return scene
  }

  /// Which of the frames, thirty a second, had an inference.
  private func inferred(
    _ scene: ReuseScene, frames: Int, corner: (Int) -> (x: Int, y: Int)
  ) -> [Bool] {
    (0..<frames).map { number in
      let picture = scene.frame(at: corner(number), noise: 3, seed: UInt64(number))
      return scene.process(picture, infers: true) == .composed(inferred: true)
    }
  }

  /// Alpha in the midst of the person, in a frame that is inferred after moved ones and in the one after.
  private func alphaOfPerson(whenItBecomes alpha: Float) -> (inferred: Int, next: Int)? {
    let scene = scene()
    #expect(inferred(scene, frames: 12) { _ in (x: 200, y: 100) }.last == false)
    scene.segmenter.alpha = { red, _, blue, _, _ in red > blue ? alpha : 0 }
    var values: [Int] = []
    for infers in [true, false] {
      #expect(inferred(scene, frames: 1) { _ in (x: 200, y: 100) } == [infers])
      guard let matte = scene.engine.frameMatte else { return nil }
      let (x, y) = (240 / matte.step, 160 / matte.step)
      values.append(unsafe Int(matte.samples.row(y)[x]))
    }
    return (values[0], values[1])
  }

  /// The room where somebody was before is hidden in that frame.
  @Test func whatIsUncoveredIsNotHalfShown() throws {
    let alpha = try #require(alphaOfPerson(whenItBecomes: 0.4))
    #expect(alpha.next < 128)
    #expect(alpha.inferred == alpha.next)
  }

  /// The frame before was moved; this one, which the pace gives no inference, is of another scene.
  @Test func nothingIsLeftOfAnotherScene() throws {
    var scene = scene()
    scene.settings.matteFeather = 8
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 100) }.last == false)
    let picture = scene.frameOfAnotherScene()
    #expect(scene.process(picture, infers: false) == .composed(inferred: true))
    let matte = try #require(scene.engine.frameMatte).samples
    var shown = 0
    for y in 0..<matte.height {
      for x in 0..<matte.width where unsafe matte.row(y)[x] > 0 { shown += 1 }
    }
    #expect(shown == 0)
  }

  /// The matte that could be moved was made without them: it may show who is to be hidden.
  @Test func facesThatCanBeFoundNowAreLookedFor() {
    let scene = scene()
    _ = inferred(scene, frames: 9) { _ in (x: 200, y: 100) }
    scene.engine.use(FixedFaces())
    #expect(inferred(scene, frames: 1) { _ in (x: 200, y: 100) } == [true])
  }

  @Test func anInferenceThatFailsHasEndedToo() throws {
    let scene = scene()
    _ = inferred(scene, frames: 2) { _ in (x: 200, y: 100) }
    #expect(!scene.runningInferences.areAny)
    scene.segmenter.failure = SegmentationError(.inferenceFailed, "planned")
    _ = scene.process(scene.frame(at: (x: 200, y: 100)), infers: true)
    #expect(!scene.runningInferences.areAny)
  }

  /// The room that comes into view where somebody was cannot be known.
  @Test func someoneWhoMovesTakesMoreInferences() {
    let inferred = inferred(scene(), frames: 60) { (x: 100 + 4 * $0, y: 100) }
    #expect((20...40).contains(inferred.count { $0 }))
  }

  /// A setting leaves no frames to the network that the pace does not give it.
  @Test func thePaceIsKept() {
    let scene = scene()
    _ = inferred(scene, frames: 12) { _ in (x: 200, y: 100) }
    for _ in 0..<10 {
      let picture = scene.frame(at: (x: 200, y: 100))
      #expect(scene.process(picture, infers: false) == .composed(inferred: false))
    }
  }

  @Test func whateverComesIntoTheRoomIsSeenInThatFrame() {
    let scene = scene()
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 60) }.last == false)
    let picture = scene.frame(at: (x: 200, y: 60), noise: 3, seed: 77)
    for y in 200..<280 {
      for x in 480..<560 { unsafe picture.frame.luma.row(y)[x] = 230 }
    }
    #expect(scene.process(picture, infers: true) == .composed(inferred: true))
  }

  @Test func whatIsUncoveredIsSeenInThatFrame() {
    let scene = scene()
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 100) }.last == false)
    // The person turns: what was seen at the edge is nowhere to be found.
    let picture = scene.frame(at: (x: 200, y: 100), noise: 3, seed: 77)
    for y in 100..<180 {
      for x in 150..<230 { unsafe picture.frame.luma.row(y)[x] = (x + y) % 16 < 8 ? 235 : 16 }
    }
    #expect(scene.process(picture, infers: true) == .composed(inferred: true))
  }

  @Test func aChangeOfTheMattesShapeIsSeenAtOnce() {
    var scene = scene()
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 100) }.last == false)
    scene.settings.matteGrow = 6
    #expect(inferred(scene, frames: 1) { _ in (x: 200, y: 100) } == [true])
  }

  /// Times come from outside; their sum wraps around.
  @Test func timesFarApartAreTaken() {
    let scene = scene()
    let picture = scene.frame(at: (x: 200, y: 100))
    let far = UInt64(1) << 63
    for time in [0, far, 0, far - 60_000_000, far - 40_000_000, .max, 0, .max - 1] as [UInt64] {
      let outcome = withExtendedLifetime(picture) {
        scene.engine.process(picture.frame, settings: scene.settings, at: time)
      }
      guard case .composed = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test func afterAGapEveryFrameIsInferredAgain() {
    let scene = scene()
    _ = inferred(scene, frames: 12) { _ in (x: 200, y: 100) }
    scene.engine.reset()
    #expect(inferred(scene, frames: 5) { _ in (x: 200, y: 100) }.allSatisfy { $0 })
  }
}
