import Glibc
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct BlurTests {
  /// A room of black and white stripes, 40 pixels of a 720-line frame each, and a red person.
  private func stripes(_ scene: Scene, period: Double = 80) -> TestPicture {
    let picture = TestPicture(format: scene.format)
    let scale = Double(scene.format.height) / 720
    picture.paint(red: 20, green: 20, blue: 20)
    picture.paint(red: 230, green: 230, blue: 230) { _, y in
      (Double(y) / scale).truncatingRemainder(dividingBy: period) < period / 2
    }
    picture.paint(red: Scene.person.red, green: Scene.person.green, blue: Scene.person.blue) {
      x, _ in scene.isPerson(x)
    }
    return picture
  }

  /// The difference between the brightest and the darkest pixel of two periods in the middle of a
  /// column of the room, where the frame's edges do not count.
  private func contrast(_ picture: TestPicture) -> Int {
    let height = picture.format.height
    let column = (height / 2 - height / 9..<height / 2 + height / 9).map {
      picture.luma(picture.format.width / 16, $0)
    }
    return (column.max() ?? 0) - (column.min() ?? 0)
  }

  private func blurredContrast(width: Int, height: Int, radius: Double) -> Int {
    var scene = Scene(width: width, height: height)
    scene.settings.blurRadius = radius
    let picture = stripes(scene)
    scene.process(picture)
    return contrast(picture)
  }

  @Test func zeroIsSharp() {
    var scene = Scene(width: 640, height: 360)
    scene.settings.blurRadius = 0
    let picture = stripes(scene)
    let before = picture.copy()
    #expect(scene.process(picture) == .composed(inferred: true))
    #expect(picture.greatestDifference(from: before) == 0)
  }

  @Test func aHundredLeavesNothingToRecognise() {
    // Stripes of 180 code values: what is left is the aliasing of the shrink, under 5 % of it.
    #expect(blurredContrast(width: 1280, height: 720, radius: 100) <= 8)
  }

  @Test func contrastFallsWithTheRadius() {
    let contrasts = [0.5, 2, 5, 10, 20, 40].map {
      blurredContrast(width: 640, height: 360, radius: $0)
    }
    for (weaker, stronger) in zip(contrasts, contrasts.dropFirst()) {
      #expect(stronger <= weaker)
    }
    #expect((contrasts.last ?? 255) < 4)
  }

  /// A Gaussian of sigma s leaves `exp(-2 (pi s / period)^2)` of a wave; stripes are the waves
  /// 4 / pi (cos x - cos 3x / 3 + cos 5x / 5 ...) of half their height.
  @Test(arguments: [6.0, 10, 14, 20])
  func sigmaIsWhatThePropertySays(radius: Double) {
    let contrast = blurredContrast(width: 1280, height: 720, radius: radius)
    let height = 210.0 * 219 / 255
    let expected = [1.0, -3, 5, -7].reduce(0) { sum, order in
      let angle = Double.pi * radius * order / 80
      return sum + 4 / Double.pi * height / order * exp(-2 * angle * angle)
    }
    #expect(abs(Double(contrast) - expected) <= 0.03 * height + 1)
  }

  @Test(arguments: [8.0, 14, 20])
  func theLookIsTheSameAtAnySize(radius: Double) {
    let contrasts = [(640, 360), (1280, 720), (1920, 1080), (3840, 2160)].map {
      blurredContrast(width: $0.0, height: $0.1, radius: radius)
    }
    #expect((contrasts.max() ?? 0) - (contrasts.min() ?? 0) <= 14)
  }

  @Test(arguments: [3.0, 10, 30, 100])
  func thePersonDoesNotGlowIntoTheRoom(radius: Double) {
    var scene = Scene(width: 1280, height: 720)
    scene.settings.blurRadius = radius
    let picture = scene.picture()
    scene.process(picture)
    // Beyond the matte's own soft edge the room is as blue as it was, right up to the person.
    let code = scene.code(Scene.room)
    for x in stride(from: 0, to: scene.format.width / 4 - 24, by: 2) {
      let chroma = picture.chroma(x, 360)
      #expect(abs(chroma.cb - code.cb) <= 6 && abs(chroma.cr - code.cr) <= 6)
    }
    #expect(scene.shows(picture, 640, 360, Scene.person))
  }

  @Test(arguments: [(16, 16), (17, 23), (8192, 16), (16, 8192)])
  func extremeSizesAndRadii(width: Int, height: Int) {
    for radius in [0.1, 100] {
      var scene = Scene(width: width, height: height)
      scene.settings.blurRadius = radius
      let picture = scene.picture(padding: 3)
      #expect(scene.process(picture) == .composed(inferred: true))
      #expect(picture.paddingIsIntact)
    }
  }

  @Test func aReusedMatteHidesTheRoomOfALaterFrame() {
    var scene = Scene(width: 640, height: 360)
    scene.settings.effect = .color
    for frame in 0..<6 {
      let picture = scene.picture()
      let outcome = scene.process(picture, infers: frame % 3 == 0)
      #expect(outcome == .composed(inferred: frame % 3 == 0))
      #expect(scene.shows(picture, 3, 180, (0, 255, 0)))
      #expect(scene.shows(picture, 320, 180, Scene.person))
    }
    #expect(scene.engine.statistics.inferences == 2)
    #expect(scene.engine.statistics.frames == 6)
  }

  @Test func afterForgettingThePastTheNextFrameIsInferredAnew() {
    let scene = Scene(width: 640, height: 360)
    scene.process(scene.picture())
    let forgotten = scene.segmenter.timesForgotten
    scene.engine.forgetPast()
    #expect(scene.segmenter.timesForgotten == forgotten + 1)
    #expect(scene.process(scene.picture(), infers: false) == .composed(inferred: true))
  }

  @Test func anotherFormatInTheSameEngine() {
    for (width, height) in [(1920, 1080), (640, 360), (360, 640)] {
      var scene = Scene(width: width, height: height)
      scene.settings.effect = .color
      let engine = scene.engine
      let format = FrameFormat(
        width: height, height: width, colorimetry: scene.format.colorimetry)
      engine.configure(for: format)
      let other = Scene(width: height, height: width)
      let picture = other.picture()
      let outcome = withExtendedLifetime(picture) {
        engine.process(picture.frame, settings: scene.settings)
      }
      #expect(outcome == .composed(inferred: true))
      #expect(other.shows(picture, height / 2, width / 2, Scene.person))
      #expect(other.shows(picture, 2, 2, (0, 255, 0)))
    }
  }
}
