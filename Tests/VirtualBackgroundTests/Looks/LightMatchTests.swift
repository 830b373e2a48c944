import Compositing
import TestSupport
import Testing

@testable import VirtualBackground

@Suite struct LightMatchTests {
  /// The person's own shades: dark clothes, skin, and a bright shirt, in rows from the top.
  private static let shades: [RGB] = [(40, 38, 42), (180, 120, 95), (200, 198, 202)]
  private static let second: UInt64 = 1_000_000_000

  private func makeScene(
    _ amount: Double, over color: RGB, width: Int = 640, height: Int = 360
  ) -> Scene {
    var scene = Scene(width: width, height: height)
    // The person fills the middle half, in every colour. The input is 64 samples wide.
    scene.segmenter.alpha = { _, _, _, x, _ in (16..<48).contains(x) ? 1 : 0 }
    scene.settings.effect = .replace
    scene.settings.matchLight = amount
    scene.engine.use(plate(scene, color))
    return scene
  }

  private func makePicture(_ scene: Scene, gain: Double = 1) -> TestPicture {
    let picture = scene.picture(padding: 7)
    for (number, shade) in Self.shades.enumerated() {
      func scaled(_ value: UInt8) -> UInt8 { UInt8(min(Double(value) * gain, 255)) }
      picture.paint(
        red: scaled(shade.red), green: scaled(shade.green), blue: scaled(shade.blue)
      ) { x, y in scene.isPerson(x) && y * 3 / scene.format.height == number }
    }
    return picture
  }

  private func plate(_ scene: Scene, _ color: RGB) -> Plate {
    Plate(of: TestPicture(format: scene.format, color))
  }

  /// The means of the inner part of the person, and the variance of luma.
  private func means(_ picture: TestPicture) -> (
    luma: Double, cb: Double, cr: Double, variance: Double
  ) {
    let (width, height) = (picture.format.width, picture.format.height)
    var (luma, cb, cr, squares) = (0, 0, 0, 0)
    for y in 0..<height {
      for x in width / 3..<width * 2 / 3 {
        luma += picture.luma(x, y)
        squares += picture.luma(x, y) * picture.luma(x, y)
        cb += picture.chroma(x, y).cb
        cr += picture.chroma(x, y).cr
      }
    }
    let count = Double(height * (width * 2 / 3 - width / 3))
    let mean = Double(luma) / count
    return (mean, Double(cb) / count, Double(cr) / count, Double(squares) / count - mean * mean)
  }

  /// Composes a new picture of the person at `time`.
  private func composed(_ scene: Scene, at time: UInt64 = 0, gain: Double = 1) -> TestPicture {
    let picture = makePicture(scene, gain: gain)
    scene.process(picture, at: time)
    return picture
  }

  /// Returns the person's luma in the first frame of a stream.
  private func firstLuma(over color: RGB, gain: Double = 1) -> Double {
    means(composed(makeScene(0.8, over: color), gain: gain)).luma
  }

  @Test(
    "moves brightness and tint towards those of the plate",
    arguments: [(20, 20, 24), (225, 225, 225), (150, 110, 60), (60, 100, 150)]
      as [(UInt8, UInt8, UInt8)])
  func approaches(red: UInt8, green: UInt8, blue: UInt8) {
    func distance(_ amount: Double) -> Double {
      let scene = makeScene(amount, over: (red, green, blue))
      let (goal, means) = (scene.code((red, green, blue)), self.means(composed(scene)))
      let (luma, cb) = (means.luma - Double(goal.luma), means.cb - Double(goal.cb))
      let cr = means.cr - Double(goal.cr)
      // The plate has no contrast.
      return (luma * luma + cb * cb + cr * cr + means.variance).squareRoot()
    }
    let distances = [0, 0.4, 0.8].map(distance)
    #expect(distances[1] < 0.95 * distances[0])
    #expect(distances[2] < distances[1])
  }

  @Test(
    "keeps black, white and the hue of skin",
    arguments: [(0, 0, 40), (255, 235, 200)] as [(UInt8, UInt8, UInt8)])
  func limits(red: UInt8, green: UInt8, blue: UInt8) {
    let scene = makeScene(1, over: (red, green, blue))
    let picture = makePicture(scene)
    // Detail inside the dark clothes and the shirt.
    picture.paint((0, 0, 0)) { x, y in x / 8 == 40 && y < 100 }
    picture.paint((255, 255, 255)) { x, y in x / 8 == 40 && y > 260 }
    scene.process(picture, at: 0)
    #expect(picture.luma(322, 50) == 16)
    #expect(picture.luma(322, 310) <= 235)
    let (before, after) = (scene.code(Self.shades[1]), picture.chroma(320, 180))
    let (b, r) = (Double(before.cb - 128), Double(before.cr - 128))
    let (newB, newR) = (Double(after.cb - 128), Double(after.cr - 128))
    let sine = (b * newR - r * newB) / ((b * b + r * r) * (newB * newB + newR * newR)).squareRoot()
    // Three degrees, and the rounding of two bytes.
    #expect(abs(sine) < 0.052 + 0.05)
  }

  @Test("changes nothing for colours and the real background")
  func otherEffects() {
    for effect in [EffectSettings.Effect.blur, .color, .matte, .transparent] {
      let pictures = [0.0, 1].map { amount in
        var scene = makeScene(amount, over: (20, 20, 20))
        scene.settings.effect = effect
        return composed(scene)
      }
      #expect(pictures[0].maxDifference(from: pictures[1]) == 0, "\(effect)")
    }
  }

  @Test("applies once, in place and in outputs of any format", arguments: EngineTests.sizes)
  func everyOutput(width: Int, height: Int) {
    func made() -> Scene { makeScene(0.8, over: (20, 20, 24), width: width, height: height) }
    let inPlace = composed(made())
    #expect(inPlace.paddingIsIntact)
    let other = made()
    let output = TestPlanes(.nv12, format: other.format)
    other.process(makePicture(other), into: output, at: 0)
    #expect(output.makePicture().maxDifference(from: inPlace) == 0)
  }

  @Test("follows the light over a second, whatever the rate", arguments: [5, 30, 120] as [UInt64])
  func smooths(rate: UInt64) {
    let scene = makeScene(0.8, over: (90, 90, 90))
    let before = means(composed(scene)).luma
    var lumas: [Double] = []
    scene.engine.use(plate(scene, (110, 110, 110)), isNextPicture: true)
    for frame in 1...4 * rate {
      lumas.append(means(composed(scene, at: frame * Self.second / rate)).luma)
    }
    let change = (lumas.last ?? 0) - before
    #expect(change > 4)
    #expect(lumas[0] - before < 0.25 * change + 0.5)
    let afterSecond = (lumas[Int(rate) - 1] - before) / change
    #expect((0.5...0.8).contains(afterSecond))
  }

  @Test("shows a very different background at once")
  func cut() {
    let scene = makeScene(0.8, over: (20, 20, 24))
    for frame in 0..<5 as Range<UInt64> { _ = composed(scene, at: frame * Self.second / 30) }
    scene.engine.use(plate(scene, (220, 220, 220)))
    let lumas = (5..<40 as Range<UInt64>).map {
      means(composed(scene, at: $0 * Self.second / 30)).luma
    }
    #expect(abs(lumas[0] - firstLuma(over: (220, 220, 220))) < 0.5)
    #expect(lumas.allSatisfy { abs($0 - lumas[0]) < 0.5 })
  }

  @Test("does not flash with the pictures of a video", arguments: [2, 30] as [UInt64])
  func flashes(period: UInt64) {
    let scene = makeScene(0.8, over: (20, 20, 24))
    let (dark, bright) = (plate(scene, (20, 20, 24)), plate(scene, (220, 220, 220)))
    let lumas = (0..<90 as Range<UInt64>).map { frame in
      scene.engine.use(frame % period == 0 ? dark : bright, isNextPicture: frame > 0)
      return means(composed(scene, at: frame * Self.second / 30)).luma
    }
    #expect(zip(lumas, lumas.dropFirst()).allSatisfy { abs($0 - $1) < 10 })
    // The light still follows.
    #expect((lumas.max() ?? 0) - lumas[0] > 10)
  }

  @Test("starts afresh after a reset")
  func reset() {
    let scene = makeScene(0.8, over: (60, 60, 60))
    _ = composed(scene)
    scene.engine.reset()
    let after = means(composed(scene, at: Self.second / 30, gain: 0.85)).luma
    #expect(abs(after - firstLuma(over: (60, 60, 60), gain: 0.85)) < 0.2)
  }

  @Test("starts afresh after a pause, and when the person is lit otherwise")
  func startsAfresh() {
    let scene = makeScene(0.8, over: (60, 60, 60))
    _ = composed(scene)
    for (time, gain) in [(3 * Self.second, 0.8), (3 * Self.second + 33_000_000, 0.4)] {
      let luma = means(composed(scene, at: time, gain: gain)).luma
      #expect(abs(luma - firstLuma(over: (60, 60, 60), gain: gain)) < 0.5)
    }
  }

  @Test("does not pump over a still person before a still background")
  func still() {
    let scene = makeScene(1, over: (90, 60, 40))
    var generator = SeededGenerator(seed: 5)
    let lumas = (0..<60 as Range<UInt64>).map { frame in
      let picture = makePicture(scene)
      // The noise of a camera.
      picture.frame.luma.change { UInt8(Int($2) + Int.random(in: -6...6, using: &generator)) }
      scene.process(picture, at: frame * Self.second / 30)
      return means(picture).luma
    }
    #expect((lumas.max() ?? 0) - (lumas.min() ?? 0) < 0.5)
  }
}
