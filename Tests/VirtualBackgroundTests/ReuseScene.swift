import InferenceTypes
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
    format = FrameFormat(
      width: 640, height: 360, colorimetry: Colorimetry(matrix: .bt709, range: .limited))
    segmenter = FakeSegmenter(
      format: TensorFormat(width: 320, height: 180, layout: .planar, fit: .stretch), edge: .exact,
      alpha: { red, _, blue, _, _ in red > blue ? 1 : 0 })
    engine = VirtualBackgroundEngine(
      runningInferences: runningInferences,
      arrival: arrival)
    engine.isLive = arrival != .whenFinished
    engine.frameDuration = 33_333_333
    engine.configure(for: format)
    engine.use(Segmenters(wholeFrame: segmenter))
    settings.effect = .matte
    settings.matte.smoothing = 0
  }

  /// Returns a frame with luma errors up to `noise`.
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

  /// Returns a frame of another scene, without a person.
  func frameOfAnotherScene() -> TestPicture {
    let picture = TestPicture(format: format)
    picture.paint(red: 20, green: 60, blue: 220)
    for y in 0..<format.height {
      for x in 0..<format.width {
        unsafe picture.frame.luma.row(y)[x] = (x / 40 + y / 40) % 2 == 0 ? 230 : 16
      }
    }
    return picture
  }

  func process(_ picture: TestPicture, infers: Bool) -> FrameOutcome {
    withExtendedLifetime(picture) {
      engine.process(picture.frame, settings: settings, infers: infers)
    }
  }

  /// Returns the first and last column of a row in which the matte shows a person.
  func shown(_ picture: TestPicture, row: Int) -> (first: Int, last: Int)? {
    let columns = (0..<format.width).filter { picture.luma($0, row) > 125 }
    guard let first = columns.first, let last = columns.last else { return nil }
    return (first, last)
  }
}
