import Glibc
import Matting
import PixelTypes
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct LensBlurTests {
  /// The input of a network for which frames of 720 lines are reduced by 4, as for the real ones.
  private static let tensor = TensorFormat(width: 320, height: 180)

  /// A dark room with a lamp in the middle, without a person.
  private func lampScene(
    _ shape: EffectSettings.BlurShape, radius: Double, lamp: Int, color: RGB = (255, 255, 255)
  ) -> TestPicture {
    var scene = Scene(width: 1280, height: 720, tensor: Self.tensor)
    scene.segmenter.alpha = { _, _, _, _, _ in 0 }
    scene.settings.blurShape = shape
    scene.settings.blurRadius = radius
    let picture = TestPicture(format: scene.format, (0, 0, 0))
    picture.paint(color) { x, y in abs(2 * x - 1279) < lamp && abs(2 * y - 719) < lamp }
    scene.process(picture)
    return picture
  }

  private func light(_ code: Int) -> Double {
    let x = max(Double(code - 16) / 219, 0)
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
  }

  /// Luma along a circle around the middle of the frame.
  private func circle(_ picture: TestPicture, _ radius: Double) -> [Int] {
    (0..<64).map {
      let angle = Double($0) * .pi / 32
      return picture.luma(
        Int((639.5 + radius * cos(angle)).rounded()), Int((359.5 + radius * sin(angle)).rounded()))
    }
  }

  @Test("turns a point of light into an even disc", arguments: [10.0, 25, 60])
  func evenDisc(radius: Double) {
    let edge = 2 * radius
    let lamp = Int(radius) / 4 * 4
    let picture = lampScene(.lens, radius: radius, lamp: lamp)
    let centre = picture.luma(640, 360)
    #expect(centre > 60)
    for share in stride(from: 0.0, through: 0.5, by: 0.1) {
      for luma in circle(picture, share * edge) {
        #expect(abs(luma - centre) <= 4, "at \(share) of the radius")
      }
    }
    for share in [1.9, 2.2] { #expect(circle(picture, share * edge).allSatisfy { $0 <= 17 }) }
    let soft = lampScene(.gaussian, radius: radius, lamp: lamp)
    #expect(soft.luma(640, 360) - (circle(soft, 0.7 * edge).max() ?? 0) > 8)
  }

  @Test("has the variance of a Gaussian of the same radius", arguments: [6.0, 10, 25, 60])
  func variance(radius: Double) {
    let lamp = Double(Int(radius) / 2 * 2)
    let picture = lampScene(.lens, radius: radius, lamp: Int(lamp))
    var (sum, squares) = (0.0, 0.0)
    for y in 0..<720 {
      for x in 0..<1280 {
        let value = light(picture.luma(x, y))
        sum += value
        squares += value * (Double(x) - 639.5) * (Double(x) - 639.5)
      }
    }
    let sigma = (squares / sum - lamp * lamp / 12).squareRoot()
    #expect(abs(sigma - radius) < 0.06 * radius)
  }

  @Test("keeps the colour of a lamp")
  func coloredLamp() {
    let picture = lampScene(.lens, radius: 10, lamp: 8, color: (255, 40, 20))
    for share in [0, 0.3, 0.6] {
      let (x, y) = (640 + Int(share * 20), 360)
      let (luma, chroma) = (picture.luma(x, y) - 16, picture.chroma(x, y))
      // In the lamp, Cr is above the neutral value by about as much as luma is above black.
      #expect(luma > 10)
      #expect(chroma.cr - 128 > luma / 2)
      #expect(chroma.cb < 128)
    }
  }

  @Test(
    "does not mix the person into the room", arguments: [3.0, 10, 30, 100],
    [EffectSettings.BlurShape.gaussian, .lens])
  func noGlowAndNoRim(radius: Double, shape: EffectSettings.BlurShape) {
    let tensor = shape == .lens ? Self.tensor : TensorFormat(width: 64, height: 36)
    var scene = Scene(width: 1280, height: 720, tensor: tensor)
    scene.settings.blurShape = shape
    scene.settings.blurRadius = radius
    for room in [Scene.room, (240, 240, 240)] {
      let picture = scene.picture()
      picture.paint(room) { x, _ in !scene.isPerson(x) }
      scene.process(picture)
      let code = scene.code(room)
      // Outside the soft edge of the matte, the room keeps its colour.
      for x in stride(from: 0, to: scene.format.width / 4 - 24, by: 2) {
        let chroma = picture.chroma(x, 360)
        #expect(shape == .gaussian || abs(picture.luma(x, 360) - code.luma) <= 6)
        #expect(abs(chroma.cb - code.cb) <= 6 && abs(chroma.cr - code.cr) <= 6)
      }
      #expect(scene.shows(picture, 640, 360, Scene.person))
    }
  }

  @Test(
    "keeps a uniform room up to the border",
    arguments: [(16, 16), (17, 23), (641, 361), (1921, 1081), (8192, 16), (16, 8192)])
  func uniformRoom(width: Int, height: Int) {
    for (radius, range) in [(0.1, Colorimetry.Range.full), (10, .limited), (100, .limited)] {
      var scene = Scene(
        width: width, height: height, colorimetry: Colorimetry(matrix: .bt601, range: range))
      scene.segmenter.alpha = { _, _, _, _, _ in 0 }
      scene.settings.blurShape = .lens
      scene.settings.blurRadius = radius
      let picture = TestPicture(format: scene.format, padding: 3, (90, 170, 60))
      let before = picture.copy()
      #expect(scene.process(picture) == .composed(inferred: true))
      #expect(picture.maxDifference(from: before) <= 1)
      #expect(picture.paddingIsIntact)
    }
  }

  @Test("does not ring at an edge or at the border", arguments: [5.0, 10, 40])
  func noRinging(radius: Double) {
    var scene = Scene(width: 1280, height: 720, tensor: Self.tensor)
    scene.segmenter.alpha = { _, _, _, _, _ in 0 }
    scene.settings.blurShape = .lens
    scene.settings.blurRadius = radius
    let picture = TestPicture(format: scene.format, (250, 250, 250))
    picture.paint((5, 5, 5)) { x, _ in x >= 640 }
    scene.process(picture)
    for y in [0, 1, 360, 719] {
      let row = (0..<1280).map { picture.luma($0, y) }
      #expect(row == row.sorted(by: >))
    }
  }

  @Test("changes the shape from one frame to the next, and back")
  func change() {
    var scene = Scene(width: 641, height: 361)
    var results: [TestPicture] = []
    for shape in [EffectSettings.BlurShape.gaussian, .lens, .gaussian, .lens] {
      scene.settings.blurShape = shape
      let picture = scene.picture()
      picture.paint((255, 255, 200)) { x, y in (x / 9 + y / 9) % 5 == 0 }
      scene.process(picture)
      results.append(picture)
    }
    #expect(results[0].maxDifference(from: results[1]) > 8)
    #expect(results[0].maxDifference(from: results[2]) == 0)
    #expect(results[1].maxDifference(from: results[3]) == 0)
  }
}
