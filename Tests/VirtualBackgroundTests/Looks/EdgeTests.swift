import PixelTypes
import TestSupport
import Testing

@testable import Compositing
@testable import Matting
@testable import VirtualBackground

/// A red person in the middle half of a green room, with an edge that is soft in the picture and in
/// the matte.
struct SoftScene {
  static let person: RGB = (200, 30, 40)
  static let room: RGB = (30, 190, 60)

  let format: FrameFormat
  let matte: Matte
  /// Half the width of the ramp, in pixels.
  let softness: Double

  init(
    width: Int = 640, height: Int = 360, shift: Int = 1, softness: Double = 6,
    range: Colorimetry.Range = .limited
  ) {
    format = FrameFormat(
      width: width, height: height, colorimetry: Colorimetry(matrix: .bt709, range: range))
    self.softness = softness
    matte = Matte(grid: MatteGrid(format: format, shift: shift))
    let step = 1 << shift
    for y in 0..<matte.grid.height {
      for x in 0..<matte.grid.width {
        let place = (Double(x) + 0.5) * Double(step) - 0.5
        unsafe matte.samples.row(y)[x] = UInt8((255 * alpha(place)).rounded())
      }
    }
  }

  var left: Double { Double(format.width) / 4 }
  var right: Double { Double(format.width) * 3 / 4 }

  /// How much of a pixel is person.
  func alpha(_ x: Double) -> Double {
    let inside = min(x - left, right - x)
    return min(max(inside / (2 * softness) + 0.5, 0), 1)
  }

  func picture() -> TestPicture {
    let codes = (0..<format.width).map { x in
      // Chroma belongs to both pixels of a pair.
      let share = alpha(Double(x / 2 * 2) + 0.5)
      func mixed(_ person: UInt8, _ room: UInt8) -> UInt8 {
        UInt8((Double(person) * share + Double(room) * (1 - share)).rounded())
      }
      return format.colorimetry.codeValues(
        red: mixed(Self.person.red, Self.room.red),
        green: mixed(Self.person.green, Self.room.green),
        blue: mixed(Self.person.blue, Self.room.blue))
    }
    let picture = TestPicture(format: format, padding: 5)
    picture.frame.luma.change { x, _, _ in codes[x].luma }
    picture.frame.chroma.change { x, _, _ in x % 2 == 0 ? codes[x].cb : codes[x - 1].cr }
    return picture
  }

  /// Returns `picture` composed over `background`, with the settings that `change` makes.
  func composed(
    over background: BackgroundFill, picture: TestPicture? = nil, threads: Int = 1,
    change: (inout EffectSettings) -> Void
  ) -> TestPicture {
    var settings = EffectSettings.everyFrame
    change(&settings)
    let picture = picture ?? self.picture()
    let bands = Bands(format: format, threads: threads)
    let reduced = ReducedFrame(format: format, shift: 1, bands: bands)
    let edge = EdgeTreatment(format: format, sourceShift: 1, matteGrid: matte.grid)
    edge.prepare(
      reduced.reduce(picture.frame), matte: matte, over: background, despills: settings.despill,
      lightAmount: settings.lightWrap, matchAmount: settings.matchLight, at: 0)
    Compositor(format: format, grid: matte.grid, bands: bands)
      .draw(
        picture.frame, matte: matte, over: background, edge: edge,
        into: PicturePlanes(picture.frame))
    withExtendedLifetime(picture) {}
    return picture
  }

  func code(_ color: RGB) -> (luma: Double, cb: Double, cr: Double) {
    let code = format.colorimetry.codeValues(red: color.red, green: color.green, blue: color.blue)
    return (Double(code.luma), Double(code.cb), Double(code.cr))
  }

  func background(_ color: RGB) -> BackgroundFill {
    let code = code(color)
    return .color(luma: UInt8(code.luma), cb: UInt8(code.cb), cr: UInt8(code.cr))
  }

  /// Returns the maximum difference of row `y` from the person blended over `color`.
  func greatestError(_ picture: TestPicture, _ y: Int, over color: RGB) -> Double {
    let (person, behind) = (code(Self.person), code(color))
    var greatest = 0.0
    for x in 0..<format.width {
      let (own, pair) = (alpha(Double(x)), alpha(Double(x / 2 * 2) + 0.5))
      let chroma = picture.chroma(x, y)
      let luma = person.luma * own + behind.luma * (1 - own)
      let cb = person.cb * pair + behind.cb * (1 - pair)
      let cr = person.cr * pair + behind.cr * (1 - pair)
      greatest = max(greatest, abs(Double(picture.luma(x, y)) - luma))
      greatest = max(greatest, abs(Double(chroma.cb) - cb), abs(Double(chroma.cr) - cr))
    }
    return greatest
  }
}

private let blue: RGB = (20, 40, 230)

@Suite struct DespillTests {
  @Test(
    "removes the colour of the room from the edge",
    arguments: [(640, 360), (641, 361), (180, 240), (1281, 719)])
  func removesSpill(width: Int, height: Int) {
    let scene = SoftScene(width: width, height: height)
    let with = scene.composed(over: scene.background(blue)) { $0.despill = true }
    let without = scene.composed(over: scene.background(blue)) {
      $0.despill = false
      $0.lightWrap = 0
    }
    for y in [0, height / 2, height - 1] {
      // In the middle of the edge, half of the colour is the room's, and half of that is visible.
      #expect(scene.greatestError(without, y, over: blue) > 30)
      #expect(scene.greatestError(with, y, over: blue) < 15)
    }
    #expect(with.paddingIsIntact)
  }

  @Test func theInsideOfThePersonIsNotTouched() {
    let scene = SoftScene()
    let picture = scene.picture()
    // Detail of the person's own, in the room's colours.
    for y in 0..<scene.format.height where y % 7 < 3 {
      for x in 180..<460 { unsafe picture.frame.luma.row(y)[x] = UInt8(120 + (x * 5 + y) % 60) }
    }
    let before = picture.copy()
    let after = scene.composed(over: scene.background(blue), picture: picture) { _ in }
    for y in 0..<scene.format.height {
      for x in 180..<460 { #expect(after.luma(x, y) == before.luma(x, y)) }
    }
  }

  /// The network of this engine sees a softer edge than the picture has.
  @Test(arguments: [
    (EffectSettings.Effect.blur, MatteEdge.exact, true), (.blur, .approximate, false),
    (.color, .exact, true), (.color, .approximate, true),
  ])
  func theEngineDespills(effect: EffectSettings.Effect, edge: MatteEdge, gains: Bool) {
    func rim(despill: Bool) -> Int {
      var scene = Scene(edge: edge)
      scene.settings.effect = effect
      scene.settings.backgroundColor = 0xFF00_0000
      scene.settings.blurRadius = 40
      scene.settings.despill = despill
      let picture = scene.picture()
      // A bright frame behind the person, which a strong blur spreads.
      picture.paint((250, 250, 250)) { x, _ in x >= 148 && x < 160 }
      scene.process(picture)
      return (148..<160).map { picture.luma($0, 180) }.max() ?? 0
    }
    if gains {
      #expect(rim(despill: true) < rim(despill: false) - 5)
    } else {
      #expect(rim(despill: true) == rim(despill: false))
    }
  }

  @Test func aPictureWithoutARoomIsUnchanged() {
    let scene = SoftScene()
    scene.matte.samples.fill(with: 255)
    let before = scene.picture()
    let after = scene.composed(over: scene.background(blue)) { $0.lightWrap = 1 }
    #expect(after.maxDifference(from: before) == 0)
  }
}

@Suite struct LightWrapTests {
  private static let white: RGB = (255, 255, 255)

  private func pair(
    over color: RGB, _ amount: Double
  ) -> (scene: SoftScene, dark: TestPicture, lit: TestPicture) {
    let scene = SoftScene()
    return (
      scene, scene.composed(over: scene.background(color)) { _ in },
      scene.composed(over: scene.background(color)) { $0.lightWrap = amount }
    )
  }

  @Test func onlyTheRimIsBrightened() {
    let (scene, dark, lit) = pair(over: Self.white, 0.5)
    var greatest = 0
    for x in 0..<scene.format.width {
      let more = lit.luma(x, 180) - dark.luma(x, 180)
      #expect(more >= 0)
      greatest = max(greatest, more)
      // The light has a sigma of 6 pixels, so that it ends 30 pixels inside the edge.
      if x > 196, x < 444 { #expect(more == 0, "at \(x)") }
      if x < 150 || x > 490 { #expect(more == 0, "at \(x)") }
    }
    #expect(greatest > 10)
  }

  @Test func theLightHasTheBackgroundsColour() {
    let (_, dark, lit) = pair(over: blue, 1)
    #expect(lit.chroma(166, 180).cb > dark.chroma(166, 180).cb + 5)
  }

  @Test("adds no luma above white", arguments: [Colorimetry.Range.limited, .full])
  func keepsTheRange(range: Colorimetry.Range) {
    let scene = SoftScene(range: range)
    let picture = TestPicture(format: scene.format, (20, 20, 20))
    // Bright detail of the person, brighter than the colours around.
    picture.paint(Self.white) { x, _ in x % 11 == 0 }
    let lit = scene.composed(over: scene.background(Self.white), picture: picture) {
      $0.lightWrap = 1
    }
    let white = Int(scene.code(Self.white).luma)
    for x in 0..<scene.format.width { #expect(lit.luma(x, 180) <= white) }
  }

  @Test("adds light only next to bright parts of the plate")
  func plateLight() {
    let scene = SoftScene()
    let source = TestPicture(format: scene.format, (0, 0, 0))
    source.paint(Self.white) { x, _ in x < 320 }
    let dark = scene.composed(over: .plate(Plate(of: source))) { _ in }
    let lit = scene.composed(over: .plate(Plate(of: source))) { $0.lightWrap = 1 }
    #expect(lit.luma(166, 180) > dark.luma(166, 180) + 10)
    #expect(abs(lit.luma(474, 180) - dark.luma(474, 180)) <= 1)
  }
}
