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
    let luma = picture.frame.luma
    var (marked, seen) = (0, 0)
    for y in 0..<luma.height {
      for x in 0..<luma.width where !isPerson(x, width: luma.width) {
        if isPerson(x - margin, width: luma.width) || isPerson(x + margin, width: luma.width) {
          continue
        }
        marked += 1
        let mark = Int(marks[(x / 4 + y / 4) % 2])
        if abs(Int(unsafe luma.row(y)[x]) - mark) < 20 { seen += 1 }
      }
    }
    return withExtendedLifetime(picture) { Double(seen) / Double(max(marked, 1)) }
  }

  /// Whether the centre of the picture shows the person.
  static func showsPerson(_ picture: TestPicture) -> Bool {
    let code = picture.format.colorimetry.codeValues(red: 210, green: 20, blue: 30)
    let (x, y) = (picture.format.width / 2, picture.format.height / 2)
    return abs(picture.luma(x, y) - Int(code.luma)) <= 2
      && abs(picture.chroma(x, y).cr - Int(code.cr)) <= 2
  }
}
