import Matting
import TestSupport
import Testing

@Suite struct WhenNeededTests {
  private func scene() -> ReuseScene {
    var scene = ReuseScene()
    scene.settings.inference = .whenNeeded
    return scene
  }

  /// Returns which of the frames, at 30 per second, had an inference.
  private func inferred(
    _ scene: ReuseScene, frames: Int, corner: (Int) -> (x: Int, y: Int)
  ) -> [Bool] {
    (0..<frames).map { number in
      let picture = scene.frame(at: corner(number), noise: 3, seed: UInt64(number))
      return scene.process(picture) == .composed(inferred: true)
    }
  }

  /// Returns the alpha in the middle of the person after warped frames.
  ///
  /// `inferred` is from the first frame with an inference, `next` from the following frame.
  private func alphaOfPerson(whenItBecomes alpha: Float) -> (inferred: Int, next: Int)? {
    let scene = scene()
    #expect(inferred(scene, frames: 12) { _ in (x: 200, y: 100) }.last == false)
    scene.segmenter.alpha = { red, _, blue, _, _ in red > blue ? alpha : 0 }
    var values: [Int] = []
    // If nothing moved, a changed matte would cause an inference in the next frame too.
    for (x, infers) in [(202, true), (204, false)] {
      #expect(inferred(scene, frames: 1) { _ in (x, 100) } == [infers])
      guard let matte = scene.engine.frameMatte else { return nil }
      let (x, y) = (240 / matte.step, 160 / matte.step)
      values.append(unsafe Int(matte.samples.row(y)[x]))
    }
    return (values[0], values[1])
  }

  /// The room that a person uncovers must be hidden at once.
  @Test("does not blend a new matte with the warped one where the person has left")
  func uncoveredRoom() throws {
    let alpha = try #require(alphaOfPerson(whenItBecomes: 0.4))
    #expect(alpha.next < 128)
    #expect(alpha.inferred == alpha.next)
  }

  /// The previous matte was warped.
  ///
  /// The pace requests no inference for the frame of the new scene.
  @Test("shows nothing of the previous matte after a cut to an empty scene")
  func cut() throws {
    var scene = scene()
    scene.settings.matte.feather = 8
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 100) }.last == false)
    let picture = scene.frameOfAnotherScene()
    #expect(scene.process(picture, infers: false) == .composed(inferred: true))
    let matte = try #require(scene.engine.frameMatte).samples
    let samples = (0..<matte.height).flatMap { y in
      (0..<matte.width).map { unsafe matte.row(y)[$0] }
    }
    #expect(samples.allSatisfy { $0 == 0 })
  }

  /// The previous matte was made without faces, so it may show people who must be hidden.
  @Test("runs an inference when a face finder becomes available")
  func newFaceFinder() {
    let scene = scene()
    _ = inferred(scene, frames: 9) { _ in (x: 200, y: 100) }
    scene.engine.use(FixedFaces())
    #expect(inferred(scene, frames: 1) { _ in (x: 200, y: 100) } == [true])
  }

  @Test("does not count a failed inference as running")
  func failedInference() throws {
    let scene = scene()
    _ = inferred(scene, frames: 2) { _ in (x: 200, y: 100) }
    #expect(!scene.runningInferences.areAny)
    scene.segmenter.failure = SegmentationError(.inferenceFailed, "planned")
    scene.process(scene.frame(at: (x: 200, y: 100)))
    #expect(!scene.runningInferences.areAny)
  }

  /// The room that a moving person uncovers is not in the previous matte.
  @Test("runs more inferences for a moving person")
  func movingPerson() {
    let inferred = inferred(scene(), frames: 60) { (x: 100 + 4 * $0, y: 100) }
    #expect((20...40).contains(inferred.count { $0 }))
  }

  /// `inference=when-needed` must not run more inferences than the pace allows.
  @Test("runs no inference that the pace does not allow")
  func pace() {
    let scene = scene()
    _ = inferred(scene, frames: 12) { _ in (x: 200, y: 100) }
    for _ in 0..<10 {
      let picture = scene.frame(at: (x: 200, y: 100))
      #expect(scene.process(picture, infers: false) == .composed(inferred: false))
    }
  }

  @Test("runs an inference in the frame in which an object appears")
  func newObject() {
    let scene = scene()
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 60) }.last == false)
    let picture = scene.frame(at: (x: 200, y: 60), noise: 3, seed: 77)
    picture.frame.luma.change { 480..<560 ~= $0 && 200..<280 ~= $1 ? 230 : $2 }
    #expect(scene.process(picture) == .composed(inferred: true))
  }

  @Test("runs an inference in the frame in which the person turns")
  func turningPerson() {
    let scene = scene()
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 100) }.last == false)
    // The person turns, so the blocks at the edge have no match.
    let picture = scene.frame(at: (x: 200, y: 100), noise: 3, seed: 77)
    picture.frame.luma.change { x, y, old in
      150..<230 ~= x && 100..<180 ~= y ? ((x + y) % 16 < 8 ? 235 : 16) : old
    }
    #expect(scene.process(picture) == .composed(inferred: true))
  }

  @Test("runs an inference when a setting that shapes the matte changes")
  func changedSettings() {
    var scene = scene()
    #expect(inferred(scene, frames: 10) { _ in (x: 200, y: 100) }.last == false)
    scene.settings.matte.grow = 6
    #expect(inferred(scene, frames: 1) { _ in (x: 200, y: 100) } == [true])
  }

  /// Callers may pass any times, so sums may overflow.
  @Test("accepts times that are far apart")
  func distantTimes() {
    let scene = scene()
    let picture = scene.frame(at: (x: 200, y: 100))
    let far = UInt64(1) << 63
    for time in [0, far, 0, far - 60_000_000, far - 40_000_000, .max, 0, .max - 1] as [UInt64] {
      let outcome = scene.engine.process(picture, settings: scene.settings, at: time)
      guard case .composed = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test("infers every frame after a reset")
  func resets() {
    let scene = scene()
    _ = inferred(scene, frames: 12) { _ in (x: 200, y: 100) }
    scene.engine.reset()
    #expect(inferred(scene, frames: 5) { _ in (x: 200, y: 100) }.allSatisfy { $0 })
  }
}
