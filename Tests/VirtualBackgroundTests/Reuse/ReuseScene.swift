import PixelTypes
import TestSupport

@testable import Matting
@testable import VirtualBackground

/// A textured red person who moves in front of a textured blue room, processed by the engine.
struct ReuseScene {
  let scene = MovingScene(width: 640, height: 360)
  let format: FrameFormat
  let segmenter: FakeSegmenter
  let engine: VirtualBackgroundEngine
  let runningInferences = RunningInferences()
  var settings = EffectSettings.everyFrame

  /// With `arrival`, the stream is live, and each inference takes a fixed number of frames.
  init(arrival: MatteArrival = .whenFinished) {
    format = FrameFormat(width: 640, height: 360)
    segmenter = FakeSegmenter(width: 320, height: 180, edge: .exact) { red, _, blue, _, _ in
      red > blue ? 1 : 0
    }
    engine = VirtualBackgroundEngine(runningInferences: runningInferences, arrival: arrival)
    engine.isLive = arrival != .whenFinished
    engine.frameDuration = 33_333_333
    engine.configure(for: format)
    engine.use(Segmenters(wholeFrame: segmenter))
    settings.effect = .matte
    settings.matte.smoothing = 0
  }

  /// Returns a frame with luma errors up to `noise`.
  func frame(at corner: (x: Int, y: Int), noise: Int = 0, seed: UInt64 = 0) -> TestPicture {
    let picture = TestPicture(format: format, Scene.room)
    picture.paint(Scene.person) { x, y in scene.isPerson(x, y, at: corner) }
    let luma = scene.picture(at: corner, noise: noise, seed: seed)
    picture.frame.luma.change { x, y, _ in unsafe luma.row(y)[x] }
    return picture
  }

  /// Returns a frame of another scene, without a person.
  func frameOfAnotherScene() -> TestPicture {
    let picture = TestPicture(format: format, Scene.room)
    picture.frame.luma.change { x, y, _ in (x / 40 + y / 40) % 2 == 0 ? 230 : 16 }
    return picture
  }

  @discardableResult
  func process(
    _ picture: TestPicture, infers: Bool = true, mask: PersonMask? = nil
  ) -> FrameOutcome {
    engine.process(picture, settings: settings, infers: infers, mask: mask)
  }

  /// Processes a still frame with a mask from upstream that shows everything.
  func processMask() {
    let samples = Raster<UInt8>(width: 8, height: 8, filledWith: 1)
    let mask = PersonMask(
      samples: samples.plane, alphas: Raster(width: 256, height: 1, filledWith: 255),
      region: PixelRegion(wholeOf: format), in: format)
    withExtendedLifetime(samples) { _ = process(frame(at: (x: 200, y: 100)), mask: mask) }
  }

  /// Returns the first and last column of a row in which the matte shows a person.
  func shown(_ picture: TestPicture, row: Int) -> (first: Int, last: Int)? {
    let columns = (0..<format.width).filter { picture.luma($0, row) > 125 }
    guard let first = columns.first, let last = columns.last else { return nil }
    return (first, last)
  }
}
