import CAllocationCounter
import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing

@testable import VirtualBackground

/// A textured red person who moves before a textured blue room, through the engine.
private struct ReuseScene {
  let scene = MovingScene(width: 640, height: 360)
  let format: FrameFormat
  let segmenter: FakeSegmenter
  let engine: VirtualBackgroundEngine
  let runningInferences = RunningInferences()
  var settings = EffectSettings()

  init(steps: MatteSteps = .all) {
    format = FrameFormat(
      width: 640, height: 360, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    segmenter = FakeSegmenter(
      format: TensorFormat(width: 320, height: 180, layout: .planar, fit: .stretch), edge: .exact,
      alpha: { red, _, blue, _, _ in red > blue ? 1 : 0 })
    engine = VirtualBackgroundEngine(
      kernels: InstructionSet.current.kernels, steps: steps, runningInferences: runningInferences)
    engine.configure(for: format)
    engine.use(Segmenters(wholeFrame: segmenter))
    settings.effect = .matte
    settings.smoothing = 0
  }

  /// The frame; samples of noise are up to `noise` off.
  func frame(at corner: (x: Int, y: Int), noise: Int = 0, seed: UInt64 = 0) -> TestPicture {
    let picture = TestPicture(format: format)
    picture.paint(red: 20, green: 60, blue: 220)
    picture.paint(red: 200, green: 30, blue: 40) { x, y in scene.isPerson(x, y, at: corner) }
    let luma = scene.picture(at: corner, noise: noise, seed: seed)
    for y in 0..<format.height {
      unsafe picture.frame.luma.row(y).update(from: luma.row(y), count: format.width)
    }
    return picture
  }

  func process(_ picture: TestPicture, infers: Bool, mayRest: Bool = false) -> FrameOutcome {
    withExtendedLifetime(picture) {
      engine.process(picture.frame, settings: settings, infers: infers, mayRest: mayRest)
    }
  }

  /// Columns of a row in which the matte shows a person.
  func shown(_ picture: TestPicture, row: Int) -> (first: Int, last: Int)? {
    let columns = (0..<format.width).filter { picture.luma($0, row) > 125 }
    guard let first = columns.first, let last = columns.last else { return nil }
    return (first, last)
  }
}

@Suite struct ReuseTests {
  /// How far the edges of a person who moves 6 pixels a frame are from where they should be, at
  /// worst, in the frames without an inference.
  private func worstEdge(_ steps: MatteSteps, framesPerInference: Int) throws -> Int {
    let scene = ReuseScene(steps: steps)
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

  @Test(arguments: [(2, 2), (3, 4)])
  func theEdgeKeepsUpWithSomeoneWhoMoves(framesPerInference: Int, limit: Int) throws {
    #expect(try worstEdge(.all, framesPerInference: framesPerInference) <= limit)
    let without = try worstEdge(
      MatteSteps.all.subtracting(.matteWarp), framesPerInference: framesPerInference)
    #expect(without >= 6 * (framesPerInference - 1) - 1)
  }

  @Test func aStillSceneHasTheSameMatte() {
    let scene = ReuseScene()
    let first = scene.frame(at: (x: 200, y: 100), noise: 2, seed: 1)
    _ = scene.process(first, infers: true)
    for seed: UInt64 in 2..<6 {
      let next = scene.frame(at: (x: 200, y: 100), noise: 2, seed: seed)
      #expect(scene.process(next, infers: false) == .composed(inferred: false))
      #expect(next.greatestDifference(from: first) == 0)
    }
  }

  /// The old matte would show the room of the new scene where the person was.
  @Test func anotherSceneGetsAnInferenceAtOnce() {
    let scene = ReuseScene()
    _ = scene.process(scene.frame(at: (x: 200, y: 100)), infers: true)
    func other() -> TestPicture {
      let picture = TestPicture(format: scene.format)
      picture.paint(red: 20, green: 60, blue: 220)
      for y in 0..<picture.format.height {
        for x in 0..<picture.format.width {
          unsafe picture.frame.luma.row(y)[x] = (x / 40 + y / 40) % 2 == 0 ? 230 : 16
        }
      }
      return picture
    }
    let first = other(), second = other()
    #expect(scene.process(first, infers: false) == .composed(inferred: true))
    #expect(scene.shown(first, row: 140) == nil)
    // And the new scene's matte is used again.
    #expect(scene.process(second, infers: false) == .composed(inferred: false))
    #expect(scene.shown(second, row: 140) == nil)
  }

  @Test func theNextInferenceStartsAnew() throws {
    let scene = ReuseScene()
    _ = scene.process(scene.frame(at: (x: 100, y: 100)), infers: true)
    _ = scene.process(scene.frame(at: (x: 106, y: 100)), infers: false)
    let inferred = scene.frame(at: (x: 112, y: 100))
    _ = scene.process(inferred, infers: true)
    let fresh = ReuseScene()
    let expected = fresh.frame(at: (x: 112, y: 100))
    _ = fresh.process(expected, infers: true)
    #expect(inferred.greatestDifference(from: expected) == 0)
  }

  @Test(
    .enabled(if: allocation_counter_works()),
    arguments: [EffectSettings.Effect.matte, .blur, .color])
  func aFrameWithoutAnInferenceAllocatesNothing(effect: EffectSettings.Effect) {
    var scene = ReuseScene()
    scene.settings.effect = effect
    scene.settings.skipStill = true
    let (engine, settings) = (scene.engine, scene.settings)
    let pictures = (0..<4).map { scene.frame(at: (x: 100 + 5 * $0, y: 100)) }
    withExtendedLifetime(pictures) {
      func round() {
        for number in 0..<4 {
          _ = engine.process(
            pictures[number].frame, settings: settings, infers: number % 2 == 0, mayRest: true)
        }
      }
      round()
      round()
      let before = allocation_counter_count()
      round()
      let allocations = allocation_counter_count() - before
      #expect(allocations == 0)
    }
  }
}

@Suite struct SkipStillTests {
  private func scene() -> ReuseScene {
    var scene = ReuseScene()
    scene.settings.skipStill = true
    return scene
  }

  /// Which of the frames had an inference.
  private func inferred(
    _ scene: ReuseScene, frames: Int, mayRest: (Int) -> Bool = { _ in true },
    corner: (Int) -> (x: Int, y: Int)
  ) -> [Bool] {
    (0..<frames).map { number in
      let picture = scene.frame(at: corner(number), noise: 3, seed: UInt64(number))
      return scene.process(picture, infers: true, mayRest: mayRest(number))
        == .composed(inferred: true)
    }
  }

  @Test func noiseIsNoMotion() {
    let inferred = inferred(scene(), frames: 20) { _ in (x: 200, y: 100) }
    // The first, and as many as it takes to settle.
    #expect(inferred == (0..<20).map { $0 < 16 })
  }

  @Test func withoutTheSettingNothingIsLeftOut() {
    let inferred = inferred(ReuseScene(), frames: 20) { _ in (x: 200, y: 100) }
    #expect(inferred.allSatisfy { $0 })
  }

  @Test func whatMayNotRestIsInferred() {
    let inferred = inferred(scene(), frames: 24, mayRest: { $0 % 4 != 3 }) { _ in
      (x: 200, y: 100)
    }
    #expect(inferred == (0..<24).map { $0 < 16 || $0 % 4 == 3 })
  }

  @Test func aHandThatBeginsToMoveIsSeenInThatFrame() throws {
    let scene = scene()
    let still = inferred(scene, frames: 18) { _ in (x: 200, y: 100) }
    #expect(still.last == false)
    // A hand in a corner of the picture: nothing else moves.
    let picture = scene.frame(at: (x: 200, y: 100), noise: 3, seed: 77)
    for y in 300..<324 {
      for x in 500..<520 { unsafe picture.frame.luma.row(y)[x] = 200 }
    }
    #expect(scene.process(picture, infers: true, mayRest: true) == .composed(inferred: true))
    // It takes a while until it is still again.
    let after = inferred(scene, frames: 18) { _ in (x: 200, y: 100) }
    #expect(after.prefix(16).allSatisfy { $0 } && after.last == false)
  }

  @Test func aSlowDriftAddsUp() throws {
    let scene = scene()
    _ = inferred(scene, frames: 18) { _ in (x: 200, y: 100) }
    // A pixel in ten frames: each is nearly the same as the one before it.
    var lag = 0
    for number in 0..<60 {
      let corner = (x: 200 + number / 10, y: 100)
      let picture = scene.frame(at: corner, noise: 3, seed: UInt64(100 + number))
      _ = scene.process(picture, infers: true, mayRest: true)
      let columns = try #require(scene.shown(picture, row: 140))
      lag = max(lag, abs(columns.first - corner.x))
    }
    #expect(lag <= 2)
  }

  @Test func aChangeOfTheMattesShapeIsSeenAtOnce() {
    var scene = scene()
    let still = inferred(scene, frames: 18) { _ in (x: 200, y: 100) }
    #expect(still.last == false)
    scene.settings.matteGrow = 6
    #expect(inferred(scene, frames: 1) { _ in (x: 200, y: 100) } == [true])
  }

  @Test func whatIsForgottenIsLookedAtAgain() {
    let scene = scene()
    _ = inferred(scene, frames: 18) { _ in (x: 200, y: 100) }
    scene.engine.forgetPast()
    let after = inferred(scene, frames: 18) { _ in (x: 200, y: 100) }
    #expect(after == (0..<18).map { $0 < 16 })
  }

  /// As the element does it: between two inferences lies a second at most.
  @Test func aStillSceneIsLookedAtOnceASecond() {
    let scene = scene()
    var pace = StillPace()
    var times: [Int] = []
    for number in 0..<100 {
      let time = UInt64(number) * 33_333_333
      let picture = scene.frame(at: (x: 200, y: 100), noise: 2, seed: UInt64(number % 5))
      let outcome = scene.process(picture, infers: true, mayRest: pace.mayRest(at: time))
      guard outcome == .composed(inferred: true) else { continue }
      pace.noteInference(at: time)
      times.append(number)
    }
    #expect(times == Array(0..<16) + [46, 77])
  }
}

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

  /// Every one for a quarter of a second, and then one in 150 ms.
  @Test func whatCanBeMovedIsNotInferred() {
    let expected = (0..<30).map { $0 < 8 || ($0 - 7) % 5 == 0 }
    #expect(inferred(scene(), frames: 30) { _ in (x: 200, y: 100) } == expected)
  }

  /// Two streams that began together would else infer in the same frames for ever.
  @Test func whileAnotherStreamInfersItWaitsForItsTurn() {
    let scene = scene()
    scene.runningInferences.begin()
    let waiting = inferred(scene, frames: 30) { _ in (x: 200, y: 100) }
    #expect(waiting == (0..<30).map { $0 < 8 || ($0 - 7) % 7 == 0 })
    scene.runningInferences.end()
    // Two frames after the last inference; the fifth has one.
    let alone = inferred(scene, frames: 6) { _ in (x: 200, y: 100) }
    #expect(alone == (0..<6).map { $0 == 3 })
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

  @Test func withoutTheSettingEveryFrameIsInferred() {
    let inferred = inferred(ReuseScene(), frames: 20) { _ in (x: 200, y: 100) }
    #expect(inferred.allSatisfy { $0 })
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
    scene.engine.forgetPast()
    let after = inferred(scene, frames: 10) { _ in (x: 200, y: 100) }
    #expect(after == (0..<10).map { $0 < 8 })
  }
}

@Suite struct StillPaceTests {
  private let second: UInt64 = 1_000_000_000

  @Test func theFirstFrameMayNotRest() {
    #expect(!StillPace().mayRest(at: 5))
  }

  @Test func aSecondIsTheLongestRest() {
    var pace = StillPace()
    pace.noteInference(at: 3 * second)
    #expect(pace.mayRest(at: 3 * second))
    #expect(pace.mayRest(at: 4 * second - 1))
    #expect(!pace.mayRest(at: 4 * second))
    #expect(!pace.mayRest(at: .max))
  }

  @Test func withoutATimeThereIsNoRest() {
    var pace = StillPace()
    pace.noteInference(at: 3 * second)
    #expect(!pace.mayRest(at: nil))
    pace.noteInference(at: nil)
    #expect(!pace.mayRest(at: 3 * second))
  }

  @Test func timeThatGoesBackEndsTheRest() {
    var pace = StillPace()
    pace.noteInference(at: 3 * second)
    #expect(!pace.mayRest(at: 2 * second))
  }
}
