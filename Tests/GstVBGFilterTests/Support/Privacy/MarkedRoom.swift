import TestSupport

@testable import GstVBGFilter

/// Looks for the marks of `Room` in other formats, by luma or by its equivalent in RGB.
enum MarkedRoom {
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

  /// Returns the part of the marked pixels that still show their mark, like `Room.visiblePart`.
  ///
  /// Transparent pixels count as visible too, because an application may ignore alpha.
  static func visiblePart(of picture: TestPlanes) -> Double {
    let (width, height) = (picture.format.width, picture.format.height)
    var (marked, seen) = (0, 0)
    for y in 0..<height {
      for x in 0..<width where !Room.isPerson(x, width: width) {
        if Room.isPerson(x - 1, width: width) || Room.isPerson(x + 1, width: width) { continue }
        marked += 1
        if abs(luma(picture, x, y) - Int(Room.marks[(x / 4 + y / 4) % 2])) < 20 { seen += 1 }
      }
    }
    return Double(seen) / Double(max(marked, 1))
  }

  /// Whether the centre of the picture shows the person.
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
