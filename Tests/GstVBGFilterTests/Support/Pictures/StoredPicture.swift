import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// A colour with alpha, each component from 0 to 255.
struct StoredColor: Equatable, Sendable, CustomStringConvertible {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var alpha: UInt8 = 255

  static let black = StoredColor(red: 0, green: 0, blue: 0)
  static let white = StoredColor(red: 255, green: 255, blue: 255)
  static let red = StoredColor(red: 230, green: 20, blue: 10)
  static let green = StoredColor(red: 30, green: 200, blue: 40)
  static let blue = StoredColor(red: 20, green: 60, blue: 220)
  static let yellow = StoredColor(red: 240, green: 230, blue: 30)

  var bytes: [UInt8] { [red, green, blue, alpha] }

  var description: String { "(\(red), \(green), \(blue), \(alpha))" }

  /// Returns the maximum difference of a component.
  func distance(to other: StoredColor) -> Int {
    zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}

/// A picture to encode for a test.
struct StoredPicture: Sendable {
  /// The file format.
  enum Encoding: String, CaseIterable, Codable, Sendable {
    case png
    case jpeg
    case webp

    fileprivate var pipeline: String {
      switch self {
      case .png: "pngenc"
      case .jpeg:
        "videoconvert dither=none ! video/x-raw,format=I420,colorimetry=1:4:0:0 ! jpegenc quality=100 idct-method=islow"
      case .webp: "webpenc lossless=true"
      }
    }
  }

  let width: Int
  let height: Int
  private var colors: [StoredColor]

  init(width: Int, height: Int, color: StoredColor) {
    self.width = width
    self.height = height
    colors = Array(repeating: color, count: width * height)
  }

  /// Makes a picture by calling `color` for each pixel.
  init(width: Int, height: Int, color: (_ x: Int, _ y: Int) -> StoredColor) {
    self.width = width
    self.height = height
    colors = (0..<width * height).map { color($0 % width, $0 / width) }
  }

  /// Returns the bytes of a file.
  func encoded(as encoding: Encoding) throws -> [UInt8] {
    try Self.encode(
      colors.flatMap(\.bytes), format: "RGBA", width: width, height: height,
      by: encoding.pipeline)
  }

  /// Encodes raw video of any format with the elements of `pipeline`.
  static func encode(
    _ raw: [UInt8], format: String, width: Int, height: Int, by pipeline: String
  ) throws -> [UInt8] {
    try StoredVideo.encode(
      [raw], caps: "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=1/1",
      interval: 1_000_000_000, by: pipeline)
  }
}

extension TemporaryFolder {
  func load(
    _ picture: StoredPicture, as encoding: StoredPicture.Encoding = .png
  ) throws -> BackgroundImage {
    try load("picture.\(encoding.rawValue)", picture.encoded(as: encoding))
  }

  /// Writes a file and loads it.
  func load(_ name: String, _ bytes: [UInt8]) throws -> BackgroundImage {
    GStreamer.prepare()
    return try BackgroundImage.read(write(name, bytes))
  }
}

extension BackgroundImage {
  /// Expects that a path or URI is refused with an error that names it and has all of the texts.
  static func expectError(
    _ kind: BackgroundError.Kind, _ texts: String..., at location: String,
    timeout: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation
  ) {
    GStreamer.prepare()
    let error = #expect(throws: BackgroundError.self, sourceLocation: sourceLocation) {
      try read(location, timeout: timeout)
    }
    guard let error else { return }
    #expect(error.kind == kind, "\(error)", sourceLocation: sourceLocation)
    for text in texts + [ShownLocation(location).text] {
      #expect(error.description.contains(text), "\(error)", sourceLocation: sourceLocation)
    }
  }

  /// Returns the colour of a pixel.
  func color(_ x: Int, _ y: Int) -> StoredColor {
    let pixel = unsafe UInt32(littleEndian: pixels.row(y)[x])
    return StoredColor(
      red: UInt8(truncatingIfNeeded: pixel), green: UInt8(truncatingIfNeeded: pixel >> 8),
      blue: UInt8(truncatingIfNeeded: pixel >> 16), alpha: UInt8(truncatingIfNeeded: pixel >> 24))
  }
}
