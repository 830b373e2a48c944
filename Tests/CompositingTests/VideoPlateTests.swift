import PixelTypes
import TestSupport
import Testing

@testable import Compositing

/// The fitting of video pictures to frames, and the plates on which they are painted.
@Suite struct VideoPlateTests {
  static let colorimetry = Colorimetry(matrix: .bt709, range: .limited)

  /// A picture of one colour, in its own memory.
  private struct Plain {
    let luma: Raster<UInt8>
    let pairs: Raster<UInt8>

    init(width: Int, height: Int, _ code: (luma: UInt8, cb: UInt8, cr: UInt8)) {
      let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
      luma = Raster(width: width, height: height, filledWith: code.luma)
      pairs = Raster(width: 2 * chromaWidth, height: chromaHeight, filledWith: code.cb)
      for y in 0..<chromaHeight {
        for x in 0..<chromaWidth { unsafe pairs.row(y)[2 * x + 1] = code.cr }
      }
    }
  }

  private func paint(
    _ picture: Plain, in source: Colorimetry = VideoPlateTests.colorimetry, pixelAspect: Double = 1,
    turned orientation: ImageOrientation = .upright, width: Int, height: Int,
    framePixelAspect: Double = 1, fit: BackgroundFit = .cover, color: UInt32 = 0,
    colorimetry: Colorimetry = VideoPlateTests.colorimetry
  ) throws -> TestPicture {
    let format = FrameFormat(
      width: width, height: height, colorimetry: colorimetry, pixelAspect: framePixelAspect)
    let result = TestPicture(format: format)
    try PlatePainter(format: format, fit: fit, backgroundColor: color).paint(
      Frame(luma: picture.luma.plane, chroma: picture.pairs.plane),
      of: FrameFormat(
        width: picture.luma.width, height: picture.luma.height, colorimetry: source,
        pixelAspect: pixelAspect, orientation: orientation), into: result.frame)
    return result
  }

  @Test func aPlainPictureStaysPlainAtAnySize() throws {
    let code: (luma: UInt8, cb: UInt8, cr: UInt8) = (230, 90, 201)
    let sizes = [(16, 16), (17, 31), (64, 36), (100, 75), (385, 289), (640, 360)]
    for (width, height) in sizes {
      let plain = Plain(width: width, height: height, code)
      for (frameWidth, frameHeight) in sizes {
        for fit in [BackgroundFit.cover, .stretch] {
          let result = try paint(plain, width: frameWidth, height: frameHeight, fit: fit)
          var isPlain = true
          for y in 0..<frameHeight {
            for x in 0..<frameWidth where result.luma(x, y) != 230 { isPlain = false }
          }
          for y in stride(from: 0, to: frameHeight, by: 2) {
            for x in stride(from: 0, to: frameWidth, by: 2) {
              let chroma = result.chroma(x, y)
              if chroma.cb != 90 || chroma.cr != 201 { isPlain = false }
            }
          }
          #expect(isPlain, "\(width)x\(height) to \(frameWidth)x\(frameHeight), \(fit)")
        }
      }
    }
  }

  @Test("copies a picture of the size of the frame unchanged")
  func sameSize() throws {
    let plain = Plain(width: 66, height: 38, (0, 0, 0))
    var generator = SeededGenerator(seed: 7)
    for raster in [plain.luma, plain.pairs] {
      for i in 0..<raster.width * raster.height {
        unsafe raster.base[i] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    let result = try paint(plain, width: 66, height: 38)
    for y in 0..<38 {
      for x in 0..<66 {
        #expect(unsafe result.luma(x, y) == Int(plain.luma.row(y)[x]))
        #expect(unsafe result.chroma(x, y).cr == Int(plain.pairs.row(y / 2)[x | 1]))
      }
    }
  }

  @Test("turns a picture upright", arguments: TurnedPlace.orientations)
  func turned(_ value: Int) throws {
    let orientation = try #require(ImageOrientation(exifValue: value))
    let plain = Plain(width: 48, height: 32, (0, 0, 0))
    var generator = SeededGenerator(seed: 5)
    for raster in [plain.luma, plain.pairs] {
      for i in 0..<raster.width * raster.height {
        unsafe raster.base[i] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    let (width, height) = orientation.turned(width: 48, height: 32)
    for fit in [BackgroundFit.cover, .contain, .stretch] {
      let result = try paint(plain, turned: orientation, width: width, height: height, fit: fit)
      for y in 0..<32 {
        for x in 0..<48 {
          let place = TurnedPlace.upright(x, y, width: 48, height: 32, orientation: value)
          #expect(unsafe result.luma(place.x, place.y) == Int(plain.luma.row(y)[x]))
          let cr = result.chroma(place.x & ~1, place.y & ~1).cr
          #expect(unsafe cr == Int(plain.pairs.row(y / 2)[x | 1]))
        }
      }
    }
  }

  /// A ramp from left to right shows the positions of the samples after the fit.
  @Test(
    "places a video like an image for each fit",
    arguments: [BackgroundFit.cover, .contain, .stretch])
  func placement(_ fit: BackgroundFit) throws {
    let (width, height) = (240, 80)
    let plain = Plain(width: width, height: height, (0, 128, 128))
    for y in 0..<height {
      for x in 0..<width { unsafe plain.luma.row(y)[x] = UInt8(x) }
    }
    for (frameWidth, frameHeight) in [(160, 120), (320, 40), (64, 64), (33, 97)] {
      let result = try paint(plain, width: frameWidth, height: frameHeight, fit: fit)
      let (part, place) = fit.regions(
        imageWidth: width, imageHeight: height, frameWidth: frameWidth, frameHeight: frameHeight)
      let scale = Double(part.width) / Double(place.width)
      for x in 0..<frameWidth {
        let y = place.y + place.height / 2
        guard x >= place.x, x < place.endX else {
          #expect(result.luma(x, y) == 16)
          continue
        }
        let centre = Double(part.x) + (Double(x - place.x) + 0.5) * scale - 0.5
        // Near the edge, samples for the interpolation are missing, or a block is cut off.
        if centre < scale || centre > Double(width) - 1 - scale { continue }
        #expect(abs(Double(result.luma(x, y)) - centre) <= 1.5, "\(x) of \(frameWidth), \(fit)")
      }
    }
  }

  @Test("respects pixels that are not square")
  func nonSquarePixels() throws {
    // Pixels twice as wide as high make a picture of 2:1 in a square frame.
    let plain = Plain(width: 64, height: 64, (200, 128, 128))
    let result = try paint(plain, pixelAspect: 2, width: 64, height: 64, fit: .contain, color: 0)
    #expect(result.luma(32, 4) == 16 && result.luma(32, 32) == 200 && result.luma(32, 60) == 16)
    // In frames with the same pixels, the picture has the shape of the frame.
    let wide = try paint(
      plain, pixelAspect: 2, width: 64, height: 64, framePixelAspect: 2, fit: .contain)
    #expect([4, 32, 60].allSatisfy { wide.luma(32, $0) == 200 && wide.luma($0, 32) == 200 })
  }

  @Test("converts colours to the colorimetry of the frame")
  func colorimetries() throws {
    let kinds = [Colorimetry.Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
      [Colorimetry.Range.limited, .full].map { Colorimetry(matrix: matrix, range: $0) }
    }
    let colors: [(red: UInt8, green: UInt8, blue: UInt8)] = [
      (0, 0, 0), (255, 255, 255), (128, 128, 128), (230, 20, 10), (30, 200, 40), (20, 60, 220),
      (240, 230, 30), (90, 10, 120),
    ]
    for source in kinds {
      for target in kinds {
        for color in colors {
          let code = source.codeValues(red: color.red, green: color.green, blue: color.blue)
          let wanted = target.codeValues(red: color.red, green: color.green, blue: color.blue)
          let plain = Plain(width: 16, height: 16, code)
          let result = try paint(plain, in: source, width: 16, height: 16, colorimetry: target)
          // One code value of the source may be more than one of the target.
          #expect(abs(result.luma(5, 5) - Int(wanted.luma)) <= 2, "\(source) \(target) \(color)")
          #expect(abs(result.chroma(5, 5).cb - Int(wanted.cb)) <= 2)
          #expect(abs(result.chroma(5, 5).cr - Int(wanted.cr)) <= 2)
        }
      }
    }
  }

  @Test("reuses a plate once it is released")
  func reusesPlates() throws {
    let format = FrameFormat(width: 16, height: 16, colorimetry: Self.colorimetry)
    let pool = PlatePool(format: format, capacity: 2)
    func make(_ color: UInt32) throws -> Plate? {
      try pool.makePlate { $0.fill(with: color, in: format.colorimetry) }
    }
    var first = try make(0xFFFFFF)
    let second = try make(0)
    #expect(first != nil && second != nil && first !== second)
    #expect(try make(0) == nil)
    let luma = { (plate: Plate?) in plate.map { unsafe $0.frame.luma.row(3)[3] } }
    #expect(luma(first) == 235 && luma(second) == 16)
    let identity = first.map(ObjectIdentifier.init)
    first = nil
    let third = try make(0x808080)
    #expect(third.map(ObjectIdentifier.init) == identity)
    #expect(luma(third) == 126 && luma(second) == 16)
  }

  @Test("returns the newest plate that is due")
  func newestDuePlate() {
    let format = FrameFormat(width: 16, height: 16, colorimetry: Self.colorimetry)
    let plates = (0..<4).map { _ in Plate(format: format) { _ in } }
    var queue = PlateQueue()
    #expect(!queue.isDue(at: .max))
    let none = queue.take(at: .max)
    #expect(none == nil)
    for (index, plate) in plates.enumerated() {
      queue.add(plate, at: UInt64(index) * 40_000_000)
    }
    // A time that a container rounded does not cost a frame. Skipped plates are removed.
    let times: [UInt64] = [0, 10_000_000, 39_400_000, 78_000_000, 500_000_000, 600_000_000]
    let taken = times.map { time in queue.take(at: time) }
    let expected = [plates[0], nil, plates[1], nil, plates[3], nil]
    #expect(zip(taken, expected).allSatisfy { $0 === $1 })
    #expect(queue.count == 0)
    queue.add(plates[0], at: 0)
    queue.removeAll()
    #expect(queue.count == 0)
  }
}
