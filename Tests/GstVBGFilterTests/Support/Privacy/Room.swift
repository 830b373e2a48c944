import PixelTypes
import TestSupport

/// Pictures of a red person in a room with a mark on every pixel, so that tests detect any leak.
enum Room {
  /// The two values of the room's chequered luma.
  ///
  /// No other colour of the tests is near them.
  static let marks: [UInt8] = [40, 220]
  /// A colour far from both marks.
  static let gray: UInt32 = 0xFF80_8080

  /// Whether a column shows the person.
  ///
  /// The person is in the middle half of the picture.
  static func isPerson(_ x: Int, width: Int) -> Bool {
    x >= width / 4 && x < width - width / 4
  }

  /// Paints a picture in a stream's format.
  static func picture(_ format: FrameFormat, padding: Int = 0) -> TestPicture {
    let picture = TestPicture(format: format, padding: padding)
    let red = format.colorimetry.codeValues(red: 210, green: 20, blue: 30)
    let (luma, chroma) = (picture.frame.luma, picture.frame.chroma)
    for y in 0..<luma.height {
      for x in 0..<luma.width {
        unsafe luma.row(y)[x] =
          isPerson(x, width: format.width) ? red.luma : marks[(x / 4 + y / 4) % 2]
      }
    }
    for y in 0..<chroma.height {
      for x in stride(from: 0, to: chroma.width, by: 2) {
        let isRed = isPerson(x, width: format.width)
        unsafe chroma.row(y)[x] = isRed ? red.cb : 60
        unsafe chroma.row(y)[x + 1] = isRed ? red.cr : 100
      }
    }
    return picture
  }

  /// Returns the part of the marked pixels that still show their mark, 0 to 1.
  ///
  /// Pixels within `margin` of the person may be a mixture: the matte has no finer resolution.
  static func visiblePart(of picture: TestPicture, margin: Int = 1) -> Double {
    visiblePart(picture.format, margin: margin) { picture.luma($0, $1) }
  }

  /// Returns the part of the marked pixels in any format that still show their mark.
  ///
  /// Transparent pixels count as visible too, because an application may ignore alpha.
  static func visiblePart(of picture: TestPlanes) -> Double {
    visiblePart(picture.format) { luma(picture, $0, $1) }
  }

  private static func visiblePart(
    _ format: FrameFormat, margin: Int = 1, luma: (Int, Int) -> Int
  ) -> Double {
    let columns = (0..<format.width).filter { x in
      !(x - margin...x + margin).contains { isPerson($0, width: format.width) }
    }
    var seen = 0
    for y in 0..<format.height {
      for x in columns where abs(luma(x, y) - Int(marks[(x / 4 + y / 4) % 2])) < 20 { seen += 1 }
    }
    return Double(seen) / Double(max(columns.count * format.height, 1))
  }

  /// Whether the picture shows the person, and no mark of the room.
  static func showsOnlyPerson(_ picture: TestPicture) -> Bool {
    visiblePart(of: picture) == 0 && showsPerson(picture)
  }

  static func showsPerson(_ picture: TestPicture) -> Bool {
    let code = picture.format.colorimetry.codeValues(red: 210, green: 20, blue: 30)
    let (x, y) = (picture.format.width / 2, picture.format.height / 2)
    return abs(picture.luma(x, y) - Int(code.luma)) <= 2
      && abs(picture.chroma(x, y).cr - Int(code.cr)) <= 2
  }

  /// Returns the luma of a pixel in limited range.
  static func luma(_ picture: TestPlanes, _ x: Int, _ y: Int) -> Int {
    let samples = picture.samples(x, y).map { Double($0) }
    let weights = picture.format.colorimetry.lumaWeights
    switch picture.pixelFormat.colorModel {
    case .rgb:
      let green = 1 - weights.red - weights.blue
      let level = weights.red * samples[0] + green * samples[1] + weights.blue * samples[2]
      return Int((16 + level * 219 / 255).rounded())
    case .gray: return Int((16 + samples[0] * 219 / 255).rounded())
    case .yuv: return Int(samples[0])
    }
  }

  static func showsPerson(_ picture: TestPlanes) -> Bool {
    let code = picture.format.colorimetry.codeValues(red: 210, green: 20, blue: 30)
    let (x, y) = (picture.format.width / 2, picture.format.height / 2)
    switch picture.pixelFormat {
    case .rgba, .bgra, .argb, .abgr:
      return zip(picture.color(x, y), [210, 20, 30]).allSatisfy { abs(Int($0) - $1) <= 3 }
    case .gray8: return abs(luma(picture, x, y) - Int(code.luma)) <= 1
    case .nv21:
      return zip(picture.samples(x, y), [code.luma, code.cr, code.cb]).allSatisfy {
        abs(Int($0) - Int($1)) <= 2
      }
    case .nv12, .i420, .p010, .a420, .ayuv:
      return zip(picture.samples(x, y), [code.luma, code.cb, code.cr]).allSatisfy {
        abs(Int($0) - Int($1)) <= 2
      }
    }
  }
}
