import PixelTypes
import TestSupport
import Testing

@testable import Matting
@testable import VirtualBackground

/// Durations do not depend on the rate of frames and inferences.
@Suite struct MatteTimeTests {
  private static let second: UInt64 = 1_000_000_000

  // MARK: The clocks

  /// Exact to the nanosecond, rounded to milliseconds, or off by up to a third of a frame.
  @Test("counts one tick per frame at 30 frames per second", arguments: [1, 1_000_000, 10_000_000])
  func ticksPerFrame(rounding: UInt64) {
    var clock = MatteClock()
    var generator = SeededGenerator(seed: 3)
    for frame in UInt64(0)..<3000 {
      let error = UInt64.random(in: 0..<rounding, using: &generator)
      #expect(clock.advance(to: frame * Self.second / 30 + error) == 1)
    }
  }

  @Test func timesThatJumpDoNotTrap() {
    var clock = MatteClock()
    var frames = FrameClock()
    for time in [UInt64.max, 0, 5, .max - 1, 1, .max, .max, 7] {
      #expect(0...MatteClock.maxTicks ~= clock.advance(to: time))
      for duration in [nil, 0, UInt64.max] { frames.advance(to: time, duration: duration) }
      frames.advance(to: nil, duration: nil)
    }
    clock.reset()
    #expect(clock.advance(to: 77) == 1)
  }

  // MARK: Selection of people

  /// Whether the person centred at `x` is visible.
  private func shows(_ result: MatteScene.Result, _ x: Int) -> Bool { result.alpha(x, 140) == 255 }

  /// Returns the seconds until `isShown` is true, with an inference every `scene.ticks` ticks.
  private func wait(
    _ scene: MatteScene, _ isShown: (MatteScene.Result) -> Bool,
    _ paint: (MatteScene.Painter) -> Void
  ) -> Double? {
    for inference in 0..<400 where isShown(scene.infer(paint)) {
      return Double(inference * scene.ticks) / 30
    }
    return nil
  }

  private func scene(_ keep: MatteSettings.Keep, _ ticks: Int) -> MatteScene {
    var scene = MatteScene()
    scene.keep = keep
    scene.ticks = ticks
    return scene
  }

  @Test("switches to a nearer person after half a second", arguments: [1, 2, 3, 6, 15, 30])
  func switchesNearest(ticks: Int) throws {
    let scene = scene(.nearest, ticks)
    scene.infer(times: 5) {
      $0.person(70, scale: 0.8)
      $0.person(230, scale: 0.7)
    }
    let seconds = try #require(
      wait(scene, { shows($0, 230) && !shows($0, 70) }) {
        $0.person(70, scale: 0.6)
        $0.person(230, scale: 1)
      })
    #expect(seconds >= 0.46 && seconds < 0.47 + Double(ticks) / 30)
    // One inference is not enough.
    #expect(seconds > 0)
  }

  // MARK: Through the engine

  private static let format = FrameFormat(width: 640, height: 360)

  /// Returns a noisy blue room with two red people.
  ///
  /// The one on the left is larger.
  private func picture(_ left: Bool, _ right: Bool, seed: UInt64 = 1) -> TestPicture {
    let picture = TestPicture(format: Self.format, Scene.room)
    picture.paint(Scene.person) { x, y in
      left && 80..<220 ~= x && y > 100 || right && 420..<540 ~= x && y > 160
    }
    var generator = SeededGenerator(seed: seed)
    picture.frame.luma.change { $2 &+ generator.byte() % 4 }
    return picture
  }

  private func engine() -> VirtualBackgroundEngine {
    VirtualBackgroundEngine(Self.format, FakeSegmenter(width: 64, height: 36))
  }

  private func settings(_ keep: MatteSettings.Keep) -> EffectSettings {
    var settings = EffectSettings.matteOfEachFrame
    settings.matte.keep = keep
    return settings
  }

  /// Compares exact times, and times rounded to milliseconds, with frames without times.
  @Test("makes the same mattes at 30 frames per second as without times")
  func framesWithoutTimes() {
    let times: [(UInt64) -> UInt64?] = [
      { _ in nil }, { 5 + $0 * Self.second / 30 }, { ($0 * 1000 + 15) / 30 * 1_000_000 },
    ]
    let pictures = (UInt64(0)..<70).map { frame in
      picture(frame < 30 || frame % 7 > 4, frame > 4, seed: frame + 1)
    }
    for keep in [MatteSettings.Keep.everyone, .nearest, .tracked] {
      let mattes = times.map { time in
        let engine = engine()
        return pictures.enumerated().map { frame, original in
          let picture = original.copy()
          engine.process(picture, settings: settings(keep), at: time(UInt64(frame)))
          return picture
        }
      }
      for other in mattes.dropFirst() {
        for (one, two) in zip(mattes[0], other) { #expect(one.maxDifference(from: two) == 0) }
      }
    }
  }

  /// The first person leaves.
  ///
  /// Only every `interval`-th frame has an inference.
  @Test("tracks another person a second after the first one left", arguments: [1, 2, 3, 6, 10])
  func handOver(interval: UInt64) throws {
    let engine = engine()
    let (both, other) = (picture(true, true), picture(false, true))
    var shown: UInt64?
    for frame in UInt64(0)..<400 where shown == nil {
      let picture = (frame < 60 ? both : other).copy()
      engine.process(
        picture, settings: settings(.tracked), at: frame * Self.second / 30,
        infers: frame % interval == 0)
      if picture.luma(480, 300) > 200 { shown = frame }
    }
    let seconds = Double(try #require(shown) - 60) / 30
    #expect(seconds >= 0.96 && seconds <= 1.05 + Double(interval) / 30)
  }
}
