import Compositing
import Glibc
import InferenceTypes
import PixelTypes
import Processor
import TestSupport
import Testing
import VirtualBackground

/// Compares the engine's pictures with the formulas that it implements.
///
/// They differ only by rounding: by at most two and a half levels, and on average by a fraction of
/// one. So kernels may be rewritten, and work without an effect may be removed, but the output must
/// stay the same.
@Suite struct ReferencePictureTests {
  private static let tensor = TensorFormat(
    width: 1280, height: 720, layout: .interleaved, fit: .stretch)
  private static let colors = Colorimetry(matrix: .bt709, range: .limited)

  /// A bright red person with a soft edge, in a dark room full of detail.
  private static func scene(_ width: Int, _ height: Int) -> TestPicture {
    let format = FrameFormat(width: width, height: height, colorimetry: colors)
    let picture = TestPicture(format: format, padding: 5)
    var generator = SeededGenerator(seed: 3)
    /// 1 for the person, 0 for the room.
    func person(_ x: Double, _ y: Double) -> Double {
      let across = (x / Double(width) - 0.55) / 0.22
      let down = (y / Double(height) - 0.6) / 0.5
      return min(max((1.15 - (across * across + down * down).squareRoot()) / 0.3, 0), 1)
    }
    for y in 0..<height {
      for x in 0..<width {
        let (share, noise) = (person(Double(x), Double(y)), Double(generator.next() % 31))
        let wave = 30 * sin(Double(x) / 9) * cos(Double(y) / 7)
        unsafe picture.frame.luma.row(y)[x] = UInt8(share * 110 + 65 + wave + noise - 15)
      }
    }
    for y in 0..<format.chromaHeight {
      for x in 0..<format.chromaWidth {
        let share = person(Double(2 * x), Double(2 * y))
        let wave = 20 * sin(Double(x + 2 * y) / 11)
        unsafe picture.frame.chroma.row(y)[2 * x] = UInt8(130 + wave - share * 20)
        unsafe picture.frame.chroma.row(y)[2 * x + 1] = UInt8(118 + wave / 4 + share * 75)
      }
    }
    return picture
  }

  private static func segmenter() -> FakeSegmenter {
    FakeSegmenter(format: tensor, edge: .exact) { red, green, _, _, _ in
      min(max(1.6 * red - 0.4 * green - 0.5, 0), 1)
    }
  }

  private static func reference(_ picture: TestPicture) -> ReferenceEngine {
    ReferenceEngine(picture, tensor: tensor) { red, green, _ in 1.6 * red - 0.4 * green - 0.5 }
  }

  /// Returns the maximum and the mean difference of the samples from the reference.
  private func difference(
    _ picture: TestPicture, _ expected: ReferenceEngine.Planes
  ) -> (greatest: Double, mean: Double) {
    var (greatest, sum) = (0.0, 0.0)
    func add(_ sample: UInt8, _ expected: Double) {
      let difference = abs(Double(sample) - expected)
      greatest = max(greatest, difference)
      sum += difference
    }
    let (format, frame) = (picture.format, picture.frame)
    for y in 0..<format.height {
      for x in 0..<format.width { unsafe add(frame.luma.row(y)[x], expected.luma[x, y]) }
    }
    for y in 0..<format.chromaHeight {
      for x in 0..<format.chromaWidth {
        unsafe add(frame.chroma.row(y)[2 * x], expected.cb[x, y])
        unsafe add(frame.chroma.row(y)[2 * x + 1], expected.cr[x, y])
      }
    }
    let count = format.width * format.height + 2 * format.chromaWidth * format.chromaHeight
    return (greatest, sum / Double(count))
  }

  /// Runs the engine with each instruction set, and with two threads on the current one.
  private func check(
    _ picture: TestPicture, _ settings: EffectSettings, plate: Plate? = nil,
    against expected: ReferenceEngine.Planes, greatest: Double, mean: Double
  ) {
    for (set, threads) in InstructionSet.available.map({ ($0, 1) }) + [(.current, 2)] {
      let engine = VirtualBackgroundEngine(threads: threads)
      engine.configure(for: picture.format)
      engine.use(Segmenters(wholeFrame: Self.segmenter()))
      engine.use(plate)
      let copy = picture.copy()
      let outcome = withExtendedLifetime(copy) {
        set.run { engine.process(copy.frame, settings: settings) }
      }
      #expect(outcome == .composed(inferred: true))
      let found = difference(copy, expected)
      #expect(found.greatest <= greatest, "\(set)")
      #expect(found.mean <= mean, "\(set)")
      #expect(copy.paddingIsIntact, "\(set)")
    }
  }

  private static let sizes = [(1280, 720), (647, 363), (1920, 1080)]

  @Test(arguments: sizes)
  func replacedRoom(width: Int, height: Int) {
    let picture = Self.scene(width, height)
    let other = RealPlane(width, height) { x, y in Double((x ^ y) & 255) }
    let (cb, cr) = (
      RealPlane(picture.format.chromaWidth, picture.format.chromaHeight) { x, _ in Double(x & 127)
      },
      RealPlane(picture.format.chromaWidth, picture.format.chromaHeight) { _, y in Double(y & 63) }
    )
    let plate = Plate(format: picture.format) { frame in
      for y in 0..<height {
        for x in 0..<width { unsafe frame.luma.row(y)[x] = UInt8(other[x, y]) }
      }
      for y in 0..<cb.height {
        for x in 0..<cb.width {
          unsafe frame.chroma.row(y)[2 * x] = UInt8(cb[x, y])
          unsafe frame.chroma.row(y)[2 * x + 1] = UInt8(cr[x, y])
        }
      }
    }
    var settings = EffectSettings.everyFrame
    settings.effect = .replace
    settings.matte.feather = 0
    settings.despill = false
    check(
      picture, settings, plate: plate,
      against: Self.reference(picture).composed(over: (other, cb, cr)), greatest: 2.5, mean: 0.15)
  }

  @Test(arguments: sizes)
  func blurredRoom(width: Int, height: Int) {
    let picture = Self.scene(width, height)
    let reference = Self.reference(picture)
    var settings = EffectSettings.everyFrame
    settings.matte.feather = 0
    settings.despill = false
    settings.blurRadius = 10
    check(
      picture, settings, against: reference.composed(over: reference.blurredRoom(radius: 10)),
      greatest: 2.5, mean: 0.4)
  }
}
