import Matting
import PixelTypes
import TestSupport
import Testing
import VirtualBackground

/// Frames that must be turned to be upright.
@Suite struct OrientationTests {
  static let orientations = TurnedPlace.orientations.compactMap { ImageOrientation(exifValue: $0) }

  @Test("turns planes of any size and stride", arguments: 1...8)
  func planes(_ value: Int) throws {
    let orientation = try #require(ImageOrientation(exifValue: value))
    for (width, height) in [(1, 1), (7, 5), (33, 64), (65, 31), (100, 1)] {
      // Pairs at odd addresses, in rows with an odd stride.
      let stride = 2 * width + 3
      let bytes = Raster<UInt8>(width: stride, height: height, filledWith: 0)
      let stored = unsafe Plane(
        base: bytes.base + 1, width: 2 * width, height: height, stride: stride)
      stored.change { x, y, _ in UInt8(truncatingIfNeeded: 31 * y + 7 * x) }
      let (turnedWidth, turnedHeight) = orientation.turned(width: width, height: height)
      let pairs = Raster<UInt8>(width: 2 * turnedWidth + 5, height: turnedHeight, filledWith: 9)
      orientation.turnPairs(
        stored,
        into: unsafe Plane(
          base: pairs.base, width: 2 * turnedWidth, height: turnedHeight, stride: pairs.width))
      let single = unsafe Plane(base: stored.base, width: width, height: height, stride: stride)
      let singles = Raster<UInt8>(width: turnedWidth, height: turnedHeight, filledWith: 0)
      orientation.turn(single, into: singles.plane)
      for y in 0..<height {
        for x in 0..<width {
          let place = TurnedPlace.upright(x, y, width: width, height: height, orientation: value)
          let (source, target) = unsafe (stored.row(y), pairs.row(place.y))
          try #require(unsafe target[2 * place.x] == source[2 * x])
          try #require(unsafe target[2 * place.x + 1] == source[2 * x + 1])
          try #require(unsafe singles.row(place.y)[place.x] == source[x])
        }
      }
      for y in 0..<turnedHeight {
        for x in 2 * turnedWidth..<pairs.width { try #require(unsafe pairs.row(y)[x] == 9) }
      }
    }
  }

  @Test("inverts each orientation, and combines any two of them")
  func groups() throws {
    let stored = Raster<UInt32>(width: 3, height: 2, filledWith: 0)
    for i in 0..<6 { unsafe stored.base[i] = UInt32(i) }
    func pixels(_ raster: Raster<UInt32>) -> [UInt32] {
      [UInt32(raster.width)] + (0..<6).map { unsafe raster.base[$0] }
    }
    for first in Self.orientations {
      #expect(first.followed(by: first.inverse) == .upright)
      for second in Self.orientations {
        let oneByOne = try second.apply(to: first.apply(to: stored))
        #expect(pixels(try first.followed(by: second).apply(to: stored)) == pixels(oneByOne))
      }
    }
  }

  /// A scene with a network that takes only red pixels in the upper left quarter for a person.
  struct TurnedScene {
    let orientation: Int
    let format: FrameFormat
    let segmenter = FakeSegmenter(width: 64, height: 64) { red, green, _, x, y in
      red - green > 0.3 && x < 32 && y < 32 ? 1 : 0
    }
    let engine: VirtualBackgroundEngine
    var settings = EffectSettings.everyFrame

    init(_ orientation: Int, width: Int, height: Int) throws {
      self.orientation = orientation
      format = FrameFormat(
        width: width, height: height, colorimetry: .bt709,
        orientation: try #require(ImageOrientation(exifValue: orientation)))
      engine = VirtualBackgroundEngine(format, segmenter, threads: 2)
      settings.effect = .color
      settings.backgroundColor = 0xFF00_FF00
    }

    func process(
      _ picture: TestPicture, infers: Bool = true, mask: PersonMask? = nil
    ) -> FrameOutcome {
      engine.process(picture, settings: settings, infers: infers, mask: mask)
    }

    /// Returns the upright place of a pixel, in eighths of the width and height.
    func eighths(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
      let place = TurnedPlace.upright(
        x, y, width: format.width, height: format.height, orientation: orientation)
      let upright = format.upright
      return (
        8 * (Double(place.x) + 0.5) / Double(upright.width),
        8 * (Double(place.y) + 0.5) / Double(upright.height)
      )
    }

    /// Whether a pixel belongs to a red rectangle: one is in each quarter, away from its middle.
    func isRed(_ x: Int, _ y: Int) -> Bool {
      let place = eighths(x, y)
      return [1, 5].contains { $0..<$0 + 2 ~= place.x }
        && [1, 5].contains { $0..<$0 + 1.5 ~= place.y }
    }

    func picture() -> TestPicture {
      let picture = TestPicture(format: format, padding: 13, Scene.room)
      picture.paint(Scene.person, where: isRed)
      return picture
    }

    /// Returns the share of the person that is shown, and the share of the frame that wrongly is.
    func shown(_ picture: TestPicture) -> (person: Double, others: Double) {
      let red = Int(Colorimetry.bt709.codeValues(red: 200, green: 30, blue: 40).luma)
      let green = Int(Colorimetry.bt709.codeValues(red: 0, green: 255, blue: 0).luma)
      var (person, all, others) = (0, 0, 0)
      for y in 0..<format.height {
        for x in 0..<format.width {
          let place = eighths(x, y)
          if 1.25..<2.75 ~= place.x, 1.25..<2.25 ~= place.y {
            all += 1
            if abs(picture.luma(x, y) - red) <= 2 { person += 1 }
          } else if place.x > 4 || place.y > 4 {
            others += abs(picture.luma(x, y) - green) > 2 ? 1 : 0
          }
        }
      }
      return (Double(person) / Double(all), Double(others) / Double(format.width * format.height))
    }
  }

  @Test(
    "finds a person in upright frames and shows them in the stored frame", arguments: 1...8,
    [(640, 360), (385, 289), (271, 480)])
  func persons(_ orientation: Int, _ size: (width: Int, height: Int)) throws {
    let scene = try TurnedScene(orientation, width: size.width, height: size.height)
    let picture = scene.picture()
    #expect(scene.process(picture) == .composed(inferred: true))
    let shown = scene.shown(picture)
    #expect(shown.person > 0.98 && shown.others == 0, "\(shown)")
    #expect(picture.paddingIsIntact)
    let matte = try #require(scene.engine.frameMatte)
    #expect(matte.samples.width == (size.width + matte.step - 1) / matte.step)
    #expect(matte.samples.height == (size.height + matte.step - 1) / matte.step)
    // The matte is reused in the same place.
    let next = scene.picture()
    #expect(scene.process(next, infers: false) == .composed(inferred: false))
    #expect(scene.shown(next).person > 0.98 && scene.shown(next).others == 0)
  }

  @Test("finds a person in a frame that is split between threads")
  func largeFrames() throws {
    try persons(6, (1281, 961))
  }

  @Test("accepts a mask in the orientation of the frame", arguments: 1...8)
  func masks(_ orientation: Int) throws {
    let scene = try TurnedScene(orientation, width: 385, height: 289)
    let picture = scene.picture()
    // A mask of the upper left part of the stored frame, with a person in its left half.
    let painted = PersonMaskTests.Painted(width: 9, height: 5) { x, _ in x < 4 }
    let region = PixelRegion(x: 20, y: 10, width: 180, height: 101)
    let mask = try #require(painted.mask(of: region, in: scene.format))
    let before = scene.picture()
    let outcome = withExtendedLifetime(painted) { scene.process(picture, mask: mask) }
    #expect(outcome == .composed(inferred: true))
    #expect(scene.segmenter.inferences == 0)
    let green = Int(Colorimetry.bt709.codeValues(red: 0, green: 255, blue: 0).luma)
    for (x, y) in [(40, 30), (60, 60), (80, 90)] {
      #expect(picture.luma(x, y) == before.luma(x, y), "\(x), \(y)")
    }
    for (x, y) in [(5, 60), (60, 2), (140, 60), (60, 150), (300, 60), (380, 280)] {
      #expect(abs(picture.luma(x, y) - green) <= 8, "\(x), \(y)")
    }
  }

  @Test("never reuses a matte of another orientation", arguments: 2...8)
  func changes(_ orientation: Int) throws {
    let scene = try TurnedScene(1, width: 384, height: 288)
    _ = scene.process(scene.picture())
    let turned = try TurnedScene(orientation, width: 384, height: 288)
    scene.engine.configure(for: turned.format)
    #expect(!scene.engine.hasMatte)
    let picture = turned.picture()
    #expect(scene.process(picture, infers: false) == .composed(inferred: true))
    #expect(turned.shown(picture).person > 0.98 && turned.shown(picture).others == 0)
  }
}
