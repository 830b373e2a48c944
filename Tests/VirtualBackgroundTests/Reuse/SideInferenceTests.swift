import CAllocationCounter
import TestSupport
import Testing
import Threads

@testable import Matting
@testable import VirtualBackground

/// Inferences alongside a live stream, which take a fixed number of frames.
@Suite struct SideInferenceTests {
  private func scene(arrivalAfter frames: Int) -> ReuseScene {
    var scene = ReuseScene(arrival: .afterFrames(frames))
    scene.settings.inference = .whenNeeded
    scene.settings.effect = .color
    return scene
  }

  /// Returns a scene with long inferences, each of which passes a gate.
  private func gatedScene() -> (ReuseScene, Gate) {
    let (scene, gate) = (scene(arrivalAfter: 100), Gate())
    scene.segmenter.alpha = { red, _, blue, _, _ in
      gate.pass()
      return red > blue ? 1 : 0
    }
    return (scene, gate)
  }

  /// Processes frames of a still person, and returns the outcomes.
  @discardableResult
  private func process(_ scene: ReuseScene, frames: Int) -> [FrameOutcome] {
    // The effect overwrites the picture.
    (0..<frames).map { _ in scene.process(scene.frame(at: (x: 200, y: 100))) }
  }

  /// Processes frames of a moving person, so that one inference follows the other.
  private func processMotion(_ scene: ReuseScene, frames: Int) {
    for number in 0..<frames {
      scene.process(scene.frame(at: (x: 200 + number, y: 100)))
    }
  }

  /// Processes frames of another scene, and returns the outcomes.
  private func processOtherScene(_ scene: ReuseScene, frames: Int) -> [FrameOutcome] {
    (0..<frames).map { _ in scene.process(scene.frameOfAnotherScene()) }
  }

  /// Returns the number of hidden frames in the longest run of them.
  private func longestHiddenRun(_ outcomes: [FrameOutcome]) -> Int {
    outcomes.split { if case .hidden = $0 { false } else { true } }.map(\.count).max() ?? 0
  }

  /// Returns the alpha in the middle of the person.
  private func alphaOfPerson(_ scene: ReuseScene) -> Int? {
    scene.engine.frameMatte.map { matte in
      unsafe Int(matte.samples.row(160 / matte.step)[240 / matte.step])
    }
  }

  @Test("frames do not wait for an inference that runs")
  func framesGoOn() {
    let (scene, gate) = gatedScene()
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
    // The side thread runs this too, so the number of the inference decides.
    let inferences = Monitor(0)
    scene.segmenter.alpha = { red, _, blue, x, y in
      if x == 0, y == 0 { inferences.change { $0 += 1 } }
      return red <= blue ? 0 : inferences.current <= 2 ? 1 : 0.9
    }
    process(scene, frames: 4)
    let alphas = try (0..<14).map { _ in
      process(scene, frames: 1)
      return try #require(alphaOfPerson(scene))
    }
    let (first, last) = try (#require(alphas.first), #require(alphas.last))
    #expect(first == 255 && last < 245)
    // The first change is to the mean of both.
    #expect(alphas.first { $0 != first } == (first + last + 1) / 2)
    #expect(alphas.suffix(2) == [last, last])
  }

  @Test("hides frames of another scene for one inference at most", arguments: 0..<3)
  func sceneChange(phase: Int) throws {
    let scene = scene(arrivalAfter: 3)
    processMotion(scene, frames: 20 + phase)
    var outcomes: [FrameOutcome] = []
    for _ in 0..<12 {
      outcomes += processOtherScene(scene, frames: 1)
      switch outcomes.last {
      case .hidden(let error): #expect(error.kind == .tooLate)
      case .composed: #expect(try #require(alphaOfPerson(scene)) == 0)
      default: Issue.record("a frame must be shown or hidden")
      }
    }
    #expect(1...3 ~= longestHiddenRun(outcomes))
    #expect(outcomes.last == .composed(inferred: false))
  }

  @Test("warps no matte of a new scene before two agree, even if nothing moves", arguments: [1, 3])
  func cutInStillScene(arrival: Int) {
    let scene = scene(arrivalAfter: arrival)
    process(scene, frames: 20)
    let before = scene.engine.statistics.inferences
    var isWarped = false
    for _ in 0..<12 {
      guard processOtherScene(scene, frames: 1) == [.composed(inferred: false)] else { continue }
      isWarped = true
      #expect(scene.engine.statistics.inferences >= before + 2)
    }
    #expect(isWarped)
  }

  @Test("discards the people of the old scene if the scene changes during an inference")
  func cutWithTrackedPerson() {
    var scene = scene(arrivalAfter: 6)
    scene.settings.matte.keep = .tracked
    let faces = FixedFaces()
    scene.engine.use(faces)
    // The fourth inference alongside begins in the last frame.
    process(scene, frames: 20)
    #expect(alphaOfPerson(scene) == 255)
    let before = faces.timesForgotten
    #expect(longestHiddenRun(processOtherScene(scene, frames: 6)) == 6)
    #expect(faces.timesForgotten == before + 1)
  }

  @Test("a frame of another scene waits for an inference of two frames")
  func shortWait() throws {
    let scene = scene(arrivalAfter: 1)
    process(scene, frames: 20)
    let outcome = scene.process(scene.frameOfAnotherScene())
    #expect(outcome == .composed(inferred: true))
    #expect(alphaOfPerson(scene) == 0)
  }

  @Test("waits if a hidden frame would end the stream, or hide more than the room")
  func waitsInsteadOfHiding() {
    var ending = EffectSettings.everyFrame, matte = ending, visible = ending
    ending.onFailure = .error
    matte.effect = .matte
    (visible.effect, visible.blurRadius) = (.blur, 0)
    for settings in [ending, matte, visible] { checkWait(settings) }
  }

  private func checkWait(_ settings: EffectSettings) {
    var scene = scene(arrivalAfter: 3)
    scene.settings = settings
    scene.settings.inference = .whenNeeded
    scene.settings.matte.smoothing = 0
    process(scene, frames: 20)
    let outcome = scene.process(scene.frameOfAnotherScene())
    #expect(outcome == .composed(inferred: true))
  }

  @Test("hides frames for one inference at most, even if every frame is another scene")
  func changingScenes() {
    let scene = scene(arrivalAfter: 3)
    process(scene, frames: 20)
    let outcomes = (0..<20).map { number in
      let other = scene.frameOfAnotherScene()
      let picture = number % 2 == 0 ? other : scene.frame(at: (x: 40, y: 20))
      return scene.process(picture)
    }
    #expect(1...3 ~= longestHiddenRun(outcomes))
  }

  @Test("counts an inference and its CPU time with the frame that uses its matte")
  func processorTime() {
    let scene = scene(arrivalAfter: 2)
    process(scene, frames: 3)
    #expect(scene.engine.statistics.inferences == 1)
    #expect(scene.engine.helperTime.nanoseconds == 0)
    process(scene, frames: 1)
    #expect(scene.engine.statistics.inferences == 2)
    #expect(scene.engine.helperTime.nanoseconds > 0)
  }

  @Test("changed settings apply to the next frame")
  func changedSettings() {
    var scene = scene(arrivalAfter: 3)
    process(scene, frames: 4)
    scene.settings.matte.grow = 5
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

  @Test("resets the networks if the inference that a mask replaces has failed")
  func droppedFailure() throws {
    let scene = scene(arrivalAfter: 3)
    process(scene, frames: 1)
    scene.segmenter.failure = SegmentationError(.inferenceFailed, "broken")
    let forgotten = scene.segmenter.timesForgotten
    #expect(process(scene, frames: 1) == [.composed(inferred: false)])
    scene.processMask()
    #expect(scene.segmenter.timesForgotten == forgotten + 1)
    scene.segmenter.failure = nil
    #expect(process(scene, frames: 1) == [.composed(inferred: true)])
  }

  @Test("an engine that is released waits for the inference that runs")
  func release() {
    var opener: HelperThread<Void>?
    do {
      let (scene, gate) = gatedScene()
      process(scene, frames: 1)
      gate.close()
      process(scene, frames: 2)
      #expect(gate.waitForArrival())
      opener = HelperThread { gate.open() }
    }
    opener?.join()
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
      scene.process(pictures[index])
      index += 1
    }
    let allocations = allocation_counter_count() - before
    #expect(allocations == 0)
    #expect(scene.engine.statistics.inferences > 5)
  }
}
