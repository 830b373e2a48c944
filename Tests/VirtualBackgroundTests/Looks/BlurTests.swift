import Glibc
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct BlurTests {
  /// A room of black and white stripes, 40 pixels of a 720-line frame each, and a red person.
  private func stripes(_ scene: Scene, period: Double = 80) -> TestPicture {
    let picture = TestPicture(format: scene.format, (20, 20, 20))
    let scale = Double(scene.format.height) / 720
    let isBright = (0..<scene.format.height).map {
      (Double($0) / scale).truncatingRemainder(dividingBy: period) < period / 2
    }
    picture.paint((230, 230, 230)) { _, y in isBright[y] }
    picture.paint(Scene.person) { x, _ in scene.isPerson(x) }
    return picture
  }

  /// The difference between the brightest and the darkest pixel of two periods in a column.
  ///
  /// The periods are in the middle of the room, where the frame's edges have no influence.
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
    #expect(picture.maxDifference(from: before) == 0)
  }

  /// The deviation of a row of samples from their mean, all rows of a plane together.
  private func deviation(_ plane: Plane, part: Int, step: Int) -> Double {
    var (sum, squares, count) = (0.0, 0.0, 0.0)
    for y in 0..<plane.height {
      for x in stride(from: part, to: plane.width, by: step) {
        let value = unsafe Double(plane.row(y)[x])
        (sum, squares, count) = (sum + value, squares + value * value, count + 1)
      }
    }
    return max(squares / count - (sum / count) * (sum / count), 0).squareRoot()
  }

  /// A room of noise, without a person.
  private func noise(_ format: FrameFormat) -> TestPicture {
    let picture = TestPicture(format: format, padding: 3)
    var generator = SeededGenerator(seed: 11)
    picture.changeSamples { _, _, _ in 16 + generator.byte() % 220 }
    return picture
  }

  /// Checks that the blur leaves as little noise as a sigma of at least 4 pixels does.
  ///
  /// A Gaussian of sigma s leaves 1 / (2 s sqrt(pi)) of noise. For the minimum of 4 pixels, that is
  /// 0.07 of luma. It is 0.14 of chroma, because its samples are twice as far apart. The few
  /// samples of a small frame leave more.
  private func expectThatNothingIsLeft(_ picture: TestPicture, of before: TestPicture) {
    func left(_ plane: (TestPicture) -> Plane, part: Int, step: Int) -> Double {
      deviation(plane(picture), part: part, step: step)
        / deviation(plane(before), part: part, step: step)
    }
    let luma = left({ $0.frame.luma }, part: 0, step: 1)
    #expect(luma < 0.12)
    for part in 0..<2 { #expect(left({ $0.frame.chroma }, part: part, step: 2) < 0.3) }
    #expect(picture.paddingIsIntact)
  }

  static let weakBlurs = [
    (20, 16, 10.0), (16, 16, 0.1), (64, 36, 5), (160, 90, 10), (1280, 720, 0.3), (1280, 720, 3),
    (1281, 721, 1e-300), (320, 180, .nan), (320, 180, -1), (8192, 16, 10),
  ]

  /// Includes tiny frames, and radii that are negative or not a number.
  @Test(arguments: weakBlurs, [EffectSettings.BlurShape.gaussian, .lens])
  func anyRadiusAboveZeroHidesTheRoom(
    _ blur: (width: Int, height: Int, radius: Double), shape: EffectSettings.BlurShape
  ) {
    var scene = Scene(width: blur.width, height: blur.height)
    scene.segmenter.alpha = { _, _, _, _, _ in 0 }
    scene.settings.blurRadius = blur.radius
    scene.settings.blurShape = shape
    let picture = noise(scene.format)
    let before = picture.copy()
    #expect(scene.process(picture) == .composed(inferred: true))
    expectThatNothingIsLeft(picture, of: before)
    #expect(scene.settings.hidesRoom)
  }

  @Test(arguments: [(16, 16), (20, 16), (64, 36), (320, 180), (8192, 16)])
  func aSmallFrameWithoutAMatteIsHidden(width: Int, height: Int) {
    let scene = Scene(width: width, height: height)
    scene.segmenter.failure = failure
    let picture = noise(scene.format)
    let before = picture.copy()
    #expect(scene.process(picture) == .hidden(failure))
    expectThatNothingIsLeft(picture, of: before)
  }

  @Test("shows the room only with a radius of zero")
  func zeroRadius() {
    var settings = EffectSettings.everyFrame
    for radius in [10, 0.1, .leastNonzeroMagnitude, .nan] {
      settings.blurRadius = radius
      #expect(settings.hidesRoom)
    }
    settings.blurRadius = 0
    #expect(!settings.hidesRoom)
    for effect in [EffectSettings.Effect.replace, .color, .transparent, .matte] {
      settings.effect = effect
      #expect(settings.hidesRoom)
    }
  }

  /// A Gaussian of sigma s leaves `exp(-2 (pi s / period)^2)` of a wave.
  ///
  /// Stripes are the waves 4 / pi (cos x - cos 3x / 3 + cos 5x / 5 ...) of half their height.
  @Test("blurs by a Gaussian with the radius as sigma", arguments: [6.0, 10, 14, 20])
  func sigma(radius: Double) {
    let contrast = blurredContrast(width: 1280, height: 720, radius: radius)
    let height = 210.0 * 219 / 255
    let expected = [1.0, -3, 5, -7].reduce(0) { sum, order in
      let angle = Double.pi * radius * order / 80
      return sum + 4 / Double.pi * height / order * exp(-2 * angle * angle)
    }
    #expect(abs(Double(contrast) - expected) <= 0.03 * height + 1)
  }

  @Test("blurs frames of any size alike", arguments: [8.0, 14, 20])
  func frameSizes(radius: Double) {
    let contrasts = [(640, 360), (1280, 720), (1920, 1080), (3840, 2160)].map {
      blurredContrast(width: $0.0, height: $0.1, radius: radius)
    }
    #expect((contrasts.max() ?? 0) - (contrasts.min() ?? 0) <= 14)
  }
}
