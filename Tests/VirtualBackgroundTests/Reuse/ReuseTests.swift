import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

@Suite struct ReuseTests {
  /// Returns the maximum error of the edges of a person who moves 6 pixels per frame.
  private func worstEdge(framesPerInference: Int) throws -> Int {
    let scene = ReuseScene()
    var worst = 0
    for number in 0..<12 {
      let corner = (x: 150 + 6 * number, y: 120)
      let picture = scene.frame(at: corner)
      let infers = number % framesPerInference == 0
      #expect(scene.process(picture, infers: infers) == .composed(inferred: infers))
      for row in [150, 160, 170] {
        let columns = try #require(scene.shown(picture, row: row))
        worst = max(
          worst, abs(columns.first - corner.x),
          abs(columns.last - (corner.x + MovingScene.extent - 1)))
      }
    }
    return worst
  }

  @Test("warps the matte to a person who moves", arguments: [(2, 2), (3, 4)])
  func movingEdge(framesPerInference: Int, limit: Int) throws {
    #expect(try worstEdge(framesPerInference: framesPerInference) <= limit)
  }

  @Test func aStillSceneHasTheSameMatte() {
    let scene = ReuseScene()
    let first = scene.frame(at: (x: 200, y: 100), noise: 2, seed: 1)
    scene.process(first)
    for seed: UInt64 in 2..<6 {
      let next = scene.frame(at: (x: 200, y: 100), noise: 2, seed: seed)
      #expect(scene.process(next, infers: false) == .composed(inferred: false))
      #expect(next.maxDifference(from: first) == 0)
    }
  }

  /// At the person's old place, the old matte would show the room of the new scene.
  @Test func anotherSceneGetsAnInferenceAtOnce() {
    let scene = ReuseScene()
    scene.process(scene.frame(at: (x: 200, y: 100)))
    // The second matte of the new scene confirms the first one. From then on, the matte is reused.
    for infers in [true, true, false, false] {
      let picture = scene.frameOfAnotherScene()
      #expect(scene.process(picture, infers: false) == .composed(inferred: infers))
      #expect(scene.shown(picture, row: 140) == nil)
    }
  }

  @Test("does not carry the warped matte into the next inference")
  func freshInference() throws {
    let scene = ReuseScene()
    scene.process(scene.frame(at: (x: 100, y: 100)))
    _ = scene.process(scene.frame(at: (x: 106, y: 100)), infers: false)
    let inferred = scene.frame(at: (x: 112, y: 100))
    scene.process(inferred)
    let fresh = ReuseScene()
    let expected = fresh.frame(at: (x: 112, y: 100))
    fresh.process(expected)
    #expect(inferred.maxDifference(from: expected) == 0)
  }

  /// Must not trap, or write to the padding.
  @Test(
    "warps mattes between noisy frames of any size",
    arguments: [(16, 16), (17, 40), (41, 80), (333, 61), (1000, 16)])
  func noisyFrames(width: Int, height: Int) {
    let format = FrameFormat(width: width, height: height)
    var generator = SeededGenerator(seed: UInt64(width))
    let engine = VirtualBackgroundEngine(format, FakeSegmenter { _, _, _, x, _ in x < 16 ? 1 : 0 })
    for range: ClosedRange<UInt8> in [16...235, 100...130] {
      for number in 0..<9 {
        let picture = TestPicture(format: format, padding: 3)
        picture.frame.luma.change { _, _, _ in .random(in: range, using: &generator) }
        let outcome = engine.process(picture, settings: .everyFrame, infers: number % 3 == 0)
        guard case .composed = outcome, picture.paddingIsIntact else {
          Issue.record("frame \(number) of \(range): \(outcome)")
          return
        }
      }
    }
  }
}
