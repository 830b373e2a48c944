import Matting
import Compositing
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

/// A red person, half the frame wide, in a room that is marked blue.
struct Scene {
  static let person: RGB = (200, 30, 40)
  static let room: RGB = (20, 60, 220)

  let format: FrameFormat
  let segmenter: FakeSegmenter
  let engine: VirtualBackgroundEngine
  var settings = EffectSettings.everyFrame

  init(
    width: Int = 640, height: Int = 360, colorimetry: Colorimetry = .bt709,
    tensor: TensorFormat = TensorFormat(width: 64, height: 36), edge: MatteEdge = .approximate
  ) {
    format = FrameFormat(width: width, height: height, colorimetry: colorimetry)
    segmenter = FakeSegmenter(format: tensor, edge: edge)
    engine = VirtualBackgroundEngine(format, segmenter)
  }

  /// Whether column `x` shows the person, who fills the middle half.
  func isPerson(_ x: Int) -> Bool { x >= format.width / 4 && x < format.width * 3 / 4 }

  func picture(padding: Int = 0) -> TestPicture {
    let picture = TestPicture(format: format, padding: padding, Self.room)
    picture.paint(Self.person) { x, _ in isPerson(x) }
    return picture
  }

  @discardableResult
  func process(
    _ picture: TestPicture, into output: TestPlanes? = nil, at time: UInt64? = nil,
    infers: Bool = true, mask: PersonMask? = nil
  ) -> FrameOutcome {
    engine.process(picture, into: output, settings: settings, at: time, infers: infers, mask: mask)
  }

  func code(_ color: RGB) -> (luma: Int, cb: Int, cr: Int) {
    let code = format.colorimetry.codeValues(red: color.red, green: color.green, blue: color.blue)
    return (Int(code.luma), Int(code.cb), Int(code.cr))
  }

  /// Whether the pixel has that colour, to within one code value.
  func shows(_ picture: TestPicture, _ x: Int, _ y: Int, _ color: RGB) -> Bool {
    let code = code(color)
    let chroma = picture.chroma(x, y)
    return abs(picture.luma(x, y) - code.luma) <= 1 && abs(chroma.cb - code.cb) <= 1
      && abs(chroma.cr - code.cr) <= 1
  }
}

let failure = SegmentationError(.inferenceFailed, "the test wants it so")

@Suite struct EngineTests {
  static let sizes = [
    (16, 16), (17, 17), (31, 16), (385, 289), (384, 288), (640, 360), (1080, 1920), (1919, 1079),
    (16, 512), (2048, 16),
  ]

  @Test(arguments: sizes)
  func colorHidesTheRoomAndKeepsThePerson(width: Int, height: Int) {
    var scene = Scene(width: width, height: height)
    scene.settings.effect = .color
    scene.settings.backgroundColor = 0xFF00_FF00
    let picture = scene.picture(padding: 13)
    let outcome = scene.process(picture)
    #expect(outcome == .composed(inferred: true))
    let y = height / 2
    #expect(scene.shows(picture, width / 2, y, Scene.person))
    #expect(scene.shows(picture, 0, y, (0, 255, 0)))
    #expect(scene.shows(picture, width - 1, height - 1, (0, 255, 0)))
    #expect(picture.paddingIsIntact)
  }

  @Test(arguments: Colorimetry.all)
  func theTensorHoldsTheTrueColours(colorimetry: Colorimetry) {
    let scene = Scene(colorimetry: colorimetry)
    let picture = scene.picture()
    scene.process(picture)
    let area = 64 * 36
    let centre = 18 * 64 + 32
    for (component, value) in [Scene.person.red, Scene.person.green, Scene.person.blue].enumerated()
    {
      let sample = unsafe scene.segmenter.inputTensor[component * area + centre]
      // 8-bit limited chroma is known to within half a step of 1/224, luma to within 1/438.
      #expect(abs(sample - Float(value) / 255) < 0.008)
    }
  }

  /// Also checks the bars next to the picture.
  @Test(
    "passes colours in the order and ranges of the network",
    arguments: [TensorFormat.Layout.planar, .interleaved], [true, false])
  func colourOrder(layout: TensorFormat.Layout, isReversed: Bool) {
    var tensor = TensorFormat(width: 64, height: 64, layout: layout, fit: .letterbox)
    tensor.order = isReversed ? .bgr : .rgb
    tensor.red = SampleRange(low: -1, high: 1)
    tensor.green = SampleRange(low: 0, high: 255)
    tensor.blue = SampleRange(low: 2, high: 4)
    let scene = Scene(tensor: tensor)
    scene.process(scene.picture())
    func sample(_ component: Int, _ x: Int, _ y: Int) -> Float {
      let place = isReversed ? 2 - component : component
      let index = layout == .planar ? (place * 64 + y) * 64 + x : (y * 64 + x) * 3 + place
      return unsafe scene.segmenter.inputTensor[index]
    }
    let person = [Scene.person.red, Scene.person.green, Scene.person.blue]
    for (component, range) in [tensor.red, tensor.green, tensor.blue].enumerated() {
      let part = (sample(component, 32, 32) - range.low) / (range.high - range.low)
      #expect(abs(part - Float(person[component]) / 255) < 0.008)
      #expect(sample(component, 32, 2) == range.low)
      #expect(sample(component, 63, 63) == range.low)
    }
  }

  @Test func aLetterboxedNetworkSeesTheSamePicture() {
    var scene = Scene(
      width: 360, height: 640,
      tensor: TensorFormat(width: 64, height: 64, layout: .interleaved, fit: .letterbox))
    scene.settings.effect = .color
    let picture = scene.picture()
    scene.process(picture)
    #expect(scene.shows(picture, 180, 320, Scene.person))
    #expect(scene.shows(picture, 10, 10, (0, 255, 0)))
    #expect(scene.shows(picture, 349, 639, (0, 255, 0)))
  }

  @Test func aPlateIsShownBehindThePerson() {
    var scene = Scene(width: 321, height: 181)
    scene.settings.effect = .replace
    scene.engine.use(Plate(of: TestPicture(format: scene.format, (250, 240, 10))))
    let picture = scene.picture()
    scene.process(picture)
    #expect(scene.shows(picture, 160, 90, Scene.person))
    #expect(scene.shows(picture, 3, 90, (250, 240, 10)))
  }

  @Test("uses the colour if the plate has the wrong size")
  func wrongPlateSize() {
    var scene = Scene()
    scene.settings.effect = .replace
    var other = scene.format
    other.width = 320
    scene.engine.use(Plate(format: other) { _ in })
    let picture = scene.picture()
    scene.process(picture)
    #expect(scene.shows(picture, 3, 90, (0, 255, 0)))
  }
}

@Suite struct FailurePolicyTests {
  @Test("shows the colour instead of a held frame before any good frame, and after a flush")
  func holdWithoutAGoodFrame() {
    var scene = Scene()
    scene.settings.effect = .color
    scene.settings.backgroundColor = 0xFF10_8020
    scene.settings.onFailure = .hold
    for isFlushed in [false, true] {
      if isFlushed {
        scene.segmenter.failure = nil
        scene.process(scene.picture())
        scene.engine.reset()
      }
      scene.segmenter.failure = failure
      let picture = scene.picture()
      scene.process(picture)
      #expect(scene.shows(picture, 320, 180, (0x10, 0x80, 0x20)), "after a flush: \(isFlushed)")
    }
  }

  @Test("never repeats a frame that showed the room when it holds a frame")
  func holdAfterVisibleRoom() {
    var scene = Scene()
    scene.settings.effect = .blur
    scene.settings.blurRadius = 0
    scene.settings.onFailure = .hold
    scene.process(scene.picture())
    scene.settings.effect = .color
    scene.segmenter.failure = failure
    let picture = scene.picture()
    #expect(scene.process(picture) == .hidden(failure))
    #expect(scene.shows(picture, 5, 5, (0, 255, 0)) && scene.shows(picture, 320, 180, (0, 255, 0)))
  }

  @Test func aBlurRadiusOfZeroDoesNotShowAFailedFrame() {
    var scene = Scene()
    scene.settings.blurRadius = 0
    scene.segmenter.failure = failure
    let picture = scene.picture()
    scene.process(picture)
    #expect(abs(picture.luma(160, 100) - picture.luma(159, 100)) <= 4)
  }

  @Test("fills a frame without valid pixels with the colour")
  func invalidPixels() {
    let scene = Scene()
    let picture = scene.picture()
    let outcome = scene.engine.hide(
      picture, settings: scene.settings, because: failure, pixelsAreValid: false)
    #expect(outcome == .hidden(failure))
    #expect(scene.shows(picture, 5, 5, (0, 255, 0)))
  }

  @Test func aMatteOfAnotherSizeIsAFailure() {
    final class Odd: Segmenter {
      let inner = FakeSegmenter(width: 16, height: 16)
      let inputFormat = TensorFormat(width: 32, height: 8)
      var inputTensor: UnsafeMutablePointer<Float> { unsafe inner.inputTensor }
      func infer() throws(SegmentationError) -> RawMatte { try inner.infer() }
      func reset() {}
    }
    let scene = Scene()
    scene.engine.use(Segmenters(wholeFrame: Odd()))
    guard case .hidden = scene.process(scene.picture()) else {
      Issue.record("a matte that does not fit was used")
      return
    }
  }
}
