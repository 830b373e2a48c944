import CAllocationCounter
import InferenceTypes
import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

/// Inferences alongside a live stream, which take a fixed number of frames.
@Suite struct SideInferenceTests {
  private func scene(arrivalAfter frames: Int) -> ReuseScene {
    var scene = ReuseScene(arrival: .afterFrames(frames))
    scene.settings.inference = .whenNeeded
    return scene
  }

  /// Processes frames of a person who does not move, and returns the outcomes.
  @discardableResult
  private func process(_ scene: ReuseScene, frames: Int) -> [FrameOutcome] {
    // The matte replaces the picture.
    (0..<frames).map { _ in scene.process(scene.frame(at: (x: 200, y: 100)), infers: true) }
  }

  /// Returns the alpha in the middle of the person.
  private func alphaOfPerson(_ scene: ReuseScene) -> Int? {
    scene.engine.frameMatte.map { matte in
      unsafe Int(matte.samples.row(160 / matte.step)[240 / matte.step])
    }
  }

  @Test("frames do not wait for an inference that runs")
  func framesGoOn() {
    let scene = scene(arrivalAfter: 100)
    let gate = Gate()
    scene.segmenter.alpha = { red, _, blue, _, _ in
      gate.pass()
      return red > blue ? 1 : 0
    }
    #expect(process(scene, frames: 1) == [.composed(inferred: true)])
    gate.close()
    let outcomes = process(scene, frames: 12)
    #expect(gate.waitForArrival())
    gate.open()
    #expect(outcomes == Array(repeating: .composed(inferred: false), count: 12))
    #expect(scene.engine.statistics.inferences == 1)
  }

  @Test("a matte is used after its inference, and blended in its first frame")
  func arrival() throws {
    let scene = scene(arrivalAfter: 2)
    process(scene, frames: 4)
    scene.segmenter.alpha = { red, _, blue, _, _ in red > blue ? 0.9 : 0 }
    let alphas = try (0..<8).map { _ in
      process(scene, frames: 1)
      return try #require(alphaOfPerson(scene))
    }
    let (first, last) = try (#require(alphas.first), #require(alphas.last))
    #expect(first == 255 && last < 245)
    // The first change is to the mean of both.
    #expect(alphas.first { $0 != first } == (first + last + 1) / 2)
    #expect(alphas.suffix(2) == [last, last])
  }

  @Test("a frame of another scene is hidden if its inference takes too long")
  func sceneChange() throws {
    let scene = scene(arrivalAfter: 3)
    process(scene, frames: 20)
    var hidden = 0
    for _ in 0..<12 {
      switch scene.process(scene.frameOfAnotherScene(), infers: true) {
      case .hidden(let error):
        #expect(error.kind == .tooLate)
        hidden += 1
      case .composed: #expect(try #require(alphaOfPerson(scene)) == 0)
      default: Issue.record("a frame must be shown or hidden")
      }
    }
    #expect(1...6 ~= hidden)
    let last = scene.process(scene.frameOfAnotherScene(), infers: true)
    #expect(last == .composed(inferred: false))
  }

  @Test("a frame of another scene waits for an inference of two frames")
  func shortWait() throws {
    let scene = scene(arrivalAfter: 1)
    process(scene, frames: 20)
    let outcome = scene.process(scene.frameOfAnotherScene(), infers: true)
    #expect(outcome == .composed(inferred: true))
    #expect(alphaOfPerson(scene) == 0)
  }

  @Test("no frame is hidden if that would end the stream")
  func endingPolicy() {
    var scene = scene(arrivalAfter: 3)
    scene.settings.onFailure = .error
    process(scene, frames: 20)
    let outcome = scene.process(scene.frameOfAnotherScene(), infers: true)
    #expect(outcome == .composed(inferred: true))
  }

  @Test("hides at most the frames of one inference in a row, even if every frame is another scene")
  func changingScenes() {
    let scene = scene(arrivalAfter: 3)
    process(scene, frames: 20)
    let outcomes = (0..<20).map { number in
      let other = scene.frameOfAnotherScene()
      let picture = number % 2 == 0 ? other : scene.frame(at: (x: 40, y: 20))
      return scene.process(picture, infers: true)
    }
    let isShown = outcomes.map { if case .composed = $0 { true } else { false } }
    for first in 0..<isShown.count - 4 { #expect(isShown[first...first + 4].contains(true)) }
  }

  @Test("changed settings apply to the next frame")
  func changedSettings() {
    var scene = scene(arrivalAfter: 3)
    process(scene, frames: 4)
    scene.settings.matteGrow = 5
    #expect(process(scene, frames: 1) == [.composed(inferred: true)])
  }

  @Test("a frame is hidden if the inference that arrives with it has failed")
  func failure() {
    let scene = scene(arrivalAfter: 2)
    process(scene, frames: 1)
    let failure = SegmentationError(.inferenceFailed, "broken")
    scene.segmenter.failure = failure
    let outcomes = process(scene, frames: 4)
    #expect(outcomes[..<2] == [.composed(inferred: false), .composed(inferred: false)])
    #expect(outcomes.contains(.hidden(failure)))
    scene.segmenter.failure = nil
    #expect(process(scene, frames: 1) == [.composed(inferred: true)])
  }

  @Test("a reset, new caps and another network drop the inference that runs")
  func interruptions() {
    let interruptions: [(ReuseScene) -> Void] = [
      { $0.engine.reset() }, { $0.engine.configure(for: $0.format) },
      { $0.engine.use(Segmenters(wholeFrame: $0.segmenter)) },
    ]
    for interrupt in interruptions {
      let scene = scene(arrivalAfter: 3)
      process(scene, frames: 3)
      interrupt(scene)
      #expect(process(scene, frames: 1) == [.composed(inferred: true)])
    }
  }

  @Test("streams that are not live wait for each inference")
  func notLive() {
    let scene = scene(arrivalAfter: 3)
    scene.engine.isLive = false
    #expect(process(scene, frames: 3) == Array(repeating: .composed(inferred: true), count: 3))
  }

  @Test("a frame allocates no memory", .enabled(if: allocation_counter_works()))
  func allocations() {
    let scene = scene(arrivalAfter: 2)
    process(scene, frames: 30)
    let pictures = (0..<30).map { _ in scene.frame(at: (x: 200, y: 100)) }
    let before = allocation_counter_count()
    var index = 0
    while index < pictures.count {
      _ = scene.process(pictures[index], infers: true)
      index += 1
    }
    let allocations = allocation_counter_count() - before
    #expect(allocations == 0)
    #expect(scene.engine.statistics.inferences > 5)
  }
}
