import PixelTypes
import TestSupport
import Testing

@testable import Compositing
@testable import GstBackground
@testable import GstVBGFilter

/// Colours of the picture must match the frame's colorimetry.
@Suite struct BackgroundImageColorTests {
  private let folder = TemporaryFolder()

  static let colors: [StoredColor] = [
    .black, .white, .red, .green, .blue, .yellow,
    StoredColor(red: 255, green: 0, blue: 0), StoredColor(red: 0, green: 255, blue: 0),
    StoredColor(red: 0, green: 0, blue: 255), StoredColor(red: 128, green: 128, blue: 128),
    StoredColor(red: 1, green: 2, blue: 3), StoredColor(red: 199, green: 155, blue: 130),
  ]

  /// Returns the maximum difference between the samples of a plate and a colour's code values.
  func error(of plate: Plate, from color: StoredColor) -> Int {
    let (luma, cb, cr) = plate.format.colorimetry.codeValues(
      red: color.red, green: color.green, blue: color.blue)
    var worst = 0
    for y in 0..<plate.format.height {
      for x in 0..<plate.format.width {
        worst = max(
          worst, abs(plate.luma(x, y) - Int(luma)), abs(plate.cb(x, y) - Int(cb)),
          abs(plate.cr(x, y) - Int(cr)))
      }
    }
    return worst
  }

  @Test("shows a losslessly stored colour exactly", arguments: Colorimetry.all)
  func lossless(_ colorimetry: Colorimetry) throws {
    let format = FrameFormat(width: 33, height: 19, colorimetry: colorimetry)
    for encoding in [StoredPicture.Encoding.png, .webp] {
      for color in Self.colors {
        let image = try folder.load(
          StoredPicture(width: 20, height: 14, color: color), as: encoding)
        for fit in [BackgroundFit.cover, .contain, .stretch] {
          let colorNumber = UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
          let plate = try image.makePlate(for: format, fit: fit, backgroundColor: colorNumber)
          // Rounding may differ in either direction.
          #expect(error(of: plate, from: color) <= 1, "\(encoding) \(color) \(fit)")
        }
      }
    }
  }

  @Test("shows the colour of a JPEG with an error of at most 2", arguments: Colorimetry.all)
  func jpeg(_ colorimetry: Colorimetry) throws {
    let jpegColorimetry = Colorimetry(matrix: .bt601, range: .full)
    for (color, size) in Self.colors.flatMap({ color in [16, 720].map { (color, $0) } }) {
      // The test writes YCbCr itself, because GStreamer's conversion would add errors. Without
      // colorimetry in the file, the larger size implies BT.709.
      let (luma, cb, cr) = jpegColorimetry.codeValues(
        red: color.red, green: color.green, blue: color.blue)
      let chroma = size * size / 4
      let raw =
        Array(repeating: luma, count: size * size) + Array(repeating: cb, count: chroma)
        + Array(repeating: cr, count: chroma)
      let bytes = try StoredPicture.encode(
        raw, format: "I420", width: size, height: size, by: "jpegenc quality=100 idct-method=islow")
      let image = try folder.load("solid.jpeg", bytes)
      let plate = try image.makePlate(
        for: FrameFormat(width: 32, height: 24, colorimetry: colorimetry), fit: .cover,
        backgroundColor: 0)
      #expect(error(of: plate, from: color) <= 2, "\(color) \(size)")
    }
  }

  @Test("shows noise in a JPEG of full quality with an error of at most 2")
  func jpegNoise() throws {
    var generator = SeededGenerator(seed: 11)
    let noise = (0..<64 * 64).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let bytes = try StoredPicture.encode(
      noise, format: "GRAY8", width: 64, height: 64, by: "jpegenc quality=100 idct-method=islow")
    let image = try folder.load("noise.jpeg", bytes)
    for (position, value) in noise.enumerated() {
      let color = StoredColor(red: value, green: value, blue: value)
      #expect(image.color(position % 64, position / 64).distance(to: color) <= 2)
    }
  }

  @Test("reads all values of gray pictures with 8 and 16 bits", arguments: ["GRAY8", "GRAY16_BE"])
  func gray(_ format: String) throws {
    let samples = [UInt8](0...255)
    let raw = format == "GRAY8" ? samples : samples.flatMap { [$0, $0] }
    let bytes = try StoredPicture.encode(raw, format: format, width: 256, height: 1, by: "pngenc")
    let image = try folder.load("gray.png", bytes)
    for x in 0..<256 {
      let value = UInt8(x)
      #expect(image.color(x, 0) == StoredColor(red: value, green: value, blue: value))
    }
  }

  @Test("reads the channels of 16-bit colours in the correct order", arguments: [false, true])
  func deep(_ hasAlpha: Bool) throws {
    // Half transparent black, because colours are multiplied by alpha.
    let color =
      hasAlpha
      ? StoredColor(red: 0, green: 0, blue: 0, alpha: 128)
      : StoredColor(red: 10, green: 100, blue: 200)
    let bytes = PictureFiles.deepPNG(side: 20, color: color, hasAlpha: hasAlpha)
    let image = try folder.load("deep.png", bytes)
    for y in 0..<20 {
      for x in 0..<20 { #expect(image.color(x, y) == color, "\(x) \(y)") }
    }
  }

  @Test("blends translucent pixels with the background colour")
  func transparency() throws {
    let colorimetry = Colorimetry(matrix: .bt709, range: .full)
    for encoding in [StoredPicture.Encoding.png, .webp] {
      for alpha: UInt8 in [0, 1, 64, 127, 128, 200, 254, 255] {
        let color = StoredColor(red: 250, green: 100, blue: 0, alpha: alpha)
        let image = try folder.load(
          StoredPicture(width: 16, height: 16, color: color), as: encoding)
        // The alpha of the background colour is ignored.
        for background: UInt32 in [0x0000_80FF, 0xFF00_80FF] {
          let plate = try image.makePlate(
            for: FrameFormat(width: 16, height: 16, colorimetry: colorimetry), fit: .stretch,
            backgroundColor: background)
          func blend(_ a: UInt8, _ b: Double) -> UInt8 {
            UInt8((Double(a) * Double(alpha) / 255 + b * (1 - Double(alpha) / 255)).rounded())
          }
          let expected = StoredColor(
            red: blend(color.red, 0), green: blend(color.green, 0x80),
            blue: blend(color.blue, 0xFF))
          #expect(error(of: plate, from: expected) <= 1, "\(encoding) \(alpha)")
        }
      }
    }
  }

  @Test("keeps the colours of transparent pixels out of the edge")
  func fringe() throws {
    // White on the left. On the right is black that must stay invisible.
    let picture = StoredPicture(width: 64, height: 16) { x, _ in
      x < 32 ? .white : StoredColor(red: 0, green: 0, blue: 0, alpha: 0)
    }
    let image = try folder.load(picture)
    for width in [24, 64, 200] {
      let plate = try image.makePlate(
        for: FrameFormat(
          width: width, height: 16, colorimetry: Colorimetry(matrix: .bt601, range: .full)),
        fit: .stretch, backgroundColor: 0xFFFF_FFFF)
      #expect(error(of: plate, from: .white) <= 1, "\(width)")
    }
  }
}

extension Plate {
  /// Returns a pixel's luma.
  func luma(_ x: Int, _ y: Int) -> Int { unsafe Int(frame.luma.row(y)[x]) }
  /// Returns a pixel's Cb.
  func cb(_ x: Int, _ y: Int) -> Int { unsafe Int(frame.chroma.row(y / 2)[x / 2 * 2]) }
  /// Returns a pixel's Cr.
  func cr(_ x: Int, _ y: Int) -> Int { unsafe Int(frame.chroma.row(y / 2)[x / 2 * 2 + 1]) }
}
