#if canImport(Glibc)
  import Glibc
#endif
import GstVideoFilterKit

@testable import SwiftFilters

/// The picture of the sample person, like a camera's.
enum SamplePerson {
  /// The eyes in the picture, read by hand: of 512x512 pixels, on the left and on the right.
  static let eyes = [(x: 202.0, y: 101.0), (x: 248.0, y: 103.0)]

  /// Whether the picture and the networks are there.
  static var isInstalled: Bool {
    guard let path, let folder = unsafe getenv("VBGFILTER_RUNTIME_DIR") else { return false }
    let network = unsafe String(cString: folder) + "/models/face_detection_short_range.tflite"
    return unsafe access(path, R_OK) == 0 && access(network, R_OK) == 0
  }

  private static var path: String? {
    unsafe getenv("VBGFILTER_SAMPLE_DIR").map {
      unsafe String(cString: $0) + "/astronaut.png"
    }
  }

  /// The picture, if it is there.
  static func image() throws -> ColorImage { try ColorImage(path: path ?? "") }
}

/// Turns and moves a picture in a frame.
struct Framing {
  var width = 640
  var height = 480
  /// Radians, clockwise as seen, around the middle of the picture.
  var turn = 0.0
  /// Frame's pixels for one of the picture.
  var zoom = 1.0
  /// Where the middle of the picture is, from the middle of the frame.
  var x = 0.0
  var y = 0.0

  /// Where a place of the picture is in the frame.
  func place(_ point: (x: Double, y: Double), of image: ColorImage) -> (x: Double, y: Double) {
    let (right, down) = (point.x - Double(image.width) / 2, point.y - Double(image.height) / 2)
    return (
      Double(width) / 2 + x + zoom * (right * cos(turn) - down * sin(turn)),
      Double(height) / 2 + y + zoom * (right * sin(turn) + down * cos(turn))
    )
  }

  /// The picture in the frame, on grey.
  func picture(of image: ColorImage) -> [SIMD3<UInt8>] {
    var pixels: [SIMD3<UInt8>] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let right = (Double(column) + 0.5 - Double(width) / 2 - x) / zoom
        let down = (Double(row) + 0.5 - Double(height) / 2 - y) / zoom
        let u = Int((right * cos(turn) + down * sin(turn) + Double(image.width) / 2).rounded(.down))
        let v = Int(
          (down * cos(turn) - right * sin(turn) + Double(image.height) / 2).rounded(.down))
        guard 0..<image.width ~= u, 0..<image.height ~= v else {
          pixels.append(SIMD3(128, 128, 128))
          continue
        }
        let at = 4 * (v * image.width + u)
        pixels.append(SIMD3(image.bytes[at], image.bytes[at + 1], image.bytes[at + 2]))
      }
    }
    return pixels
  }
}

/// A picture of any format as bytes, and back.
struct Coded {
  let stream: VideoStream

  /// Cb and Cr are the mean of their block.
  func bytes(_ pixels: [SIMD3<UInt8>]) -> [UInt8] {
    guard stream.format != .rgba else { return pixels.flatMap { [$0.x, $0.y, $0.z, 255] } }
    let codes = pixels.map { stream.colorimetry.codeValues(red: $0.x, green: $0.y, blue: $0.z) }
    let (columns, rows) = ((stream.width + 1) / 2, (stream.height + 1) / 2)
    var chroma: [(UInt8, UInt8)] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var (cb, cr, count) = (0, 0, 0)
        for y in 2 * row..<min(2 * row + 2, stream.height) {
          for x in 2 * column..<min(2 * column + 2, stream.width) {
            cb += Int(codes[y * stream.width + x].cb)
            cr += Int(codes[y * stream.width + x].cr)
            count += 1
          }
        }
        chroma.append((UInt8((cb + count / 2) / count), UInt8((cr + count / 2) / count)))
      }
    }
    let planes =
      stream.format == .nv12
      ? chroma.flatMap { [$0.0, $0.1] } : chroma.map(\.0) + chroma.map(\.1)
    return codes.map(\.luma) + planes
  }

  /// Red, green and blue of a pixel, 0 to 255, not rounded.
  func color(_ bytes: [UInt8], _ x: Int, _ y: Int) -> SIMD3<Double> {
    let pixel = y * stream.width + x
    if stream.format == .rgba {
      return SIMD3((0..<3).map { Double(bytes[4 * pixel + $0]) })
    }
    let (columns, rows) = ((stream.width + 1) / 2, (stream.height + 1) / 2)
    let (start, sample) = (stream.width * stream.height, y / 2 * columns + x / 2)
    let isInterleaved = stream.format == .nv12
    let cb = bytes[start + (isInterleaved ? 2 * sample : sample)]
    let cr = bytes[start + (isInterleaved ? 2 * sample + 1 : columns * rows + sample)]
    let (kr, kb) = stream.colorimetry.lumaWeights
    let (offset, lumaSpan, chromaSpan) = stream.colorimetry.scale
    let luma = (Double(bytes[pixel]) - offset) / lumaSpan * 255
    let red = luma + 2 * (1 - kr) * (Double(cr) - 128) / chromaSpan * 255
    let blue = luma + 2 * (1 - kb) * (Double(cb) - 128) / chromaSpan * 255
    return SIMD3(red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue)
  }
}
