import TestSupport
import Testing

@testable import GstBackground
@testable import GstVBGFilter

/// Pictures are turned upright once, according to the orientation in their files.
@Suite struct BackgroundImageOrientationTests {
  private let folder = TemporaryFolder()

  /// The colours of the upper left, upper right, lower left and lower right quarter as stored.
  static let stored: [StoredColor] = [.red, .green, .blue, .yellow]

  /// The same quarters when upright, for each orientation of the Exif standard.
  static let upright: [Int: [StoredColor]] = [
    1: [.red, .green, .blue, .yellow],
    2: [.green, .red, .yellow, .blue],
    3: [.yellow, .blue, .green, .red],
    4: [.blue, .yellow, .red, .green],
    5: [.red, .blue, .green, .yellow],
    6: [.blue, .red, .yellow, .green],
    7: [.yellow, .green, .blue, .red],
    8: [.green, .yellow, .red, .blue],
  ]

  let picture = StoredPicture(width: 64, height: 32) { x, y in
    Self.stored[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)]
  }

  private func load(
    _ picture: StoredPicture, _ exif: [UInt8], as encoding: StoredPicture.Encoding = .png
  ) throws -> BackgroundImage {
    let file = try picture.encoded(as: encoding)
    let bytes = PictureFiles.embed(
      exif, in: file, of: encoding, width: picture.width, height: picture.height)
    return try folder.load("turned", bytes)
  }

  /// Whether the quarters of an image have the colours, within `tolerance` for JPEG.
  func matches(_ image: BackgroundImage, _ colors: [StoredColor], tolerance: Int) -> Bool {
    let (x, y) = (image.width / 4, image.height / 4)
    return zip([(x, y), (3 * x, y), (x, 3 * y), (3 * x, 3 * y)], colors).allSatisfy {
      image.color($0.0, $0.1).distance(to: $1) <= tolerance
    }
  }

  @Test(
    "applies all eight orientations in every format and both byte orders", arguments: 1...8,
    StoredPicture.Encoding.allCases)
  func orientations(_ value: Int, _ encoding: StoredPicture.Encoding) throws {
    for isBigEndian in [false, true] {
      let exif = PictureFiles.exif(orientation: value, isBigEndian: isBigEndian)
      let image = try load(picture, exif, as: encoding)
      let isUpright = value < 5
      #expect(image.width == (isUpright ? 64 : 32) && image.height == (isUpright ? 32 : 64))
      let colors = try #require(Self.upright[value])
      #expect(matches(image, colors, tolerance: encoding == .jpeg ? 8 : 0))
    }
  }

  @Test("moves every pixel to its correct position")
  func pixels() throws {
    let picture = StoredPicture(width: 5, height: 3) { x, y in
      StoredColor(red: UInt8(40 * x), green: UInt8(80 * y), blue: 0)
    }
    let image = try load(picture, PictureFiles.exif(orientation: 6))
    try #require(image.width == 3 && image.height == 5)
    for y in 0..<5 {
      for x in 0..<3 {
        // A quarter turn clockwise: the first stored row is the last column.
        let expected = StoredColor(red: UInt8(40 * y), green: UInt8(80 * (2 - x)), blue: 0)
        #expect(image.color(x, y) == expected)
      }
    }
  }

  @Test("does not turn a picture whose Exif data is invalid")
  func useless() throws {
    let exif = PictureFiles.exif(orientation: 6)
    var blocks = [[], PictureFiles.exif(orientation: 0), PictureFiles.exif(orientation: 9)]
    // Truncated at every length, with a directory beyond the end, and with endless entries.
    blocks += (1..<32).map { Array(exif[..<$0]) }
    blocks.append(Array(exif[..<4]) + [0xFF, 0xFF, 0xFF, 0x7F] + exif[8...])
    blocks.append(Array(exif[..<4]) + [0xFF, 0xFF, 0xFF, 0xFF] + exif[8...])
    blocks.append(Array("II".utf8) + [42, 0, 8, 0, 0, 0, 0xFF, 0xFF])
    for encoding in StoredPicture.Encoding.allCases {
      let file = try picture.encoded(as: encoding)
      for block in blocks {
        let bytes = PictureFiles.embed(block, in: file, of: encoding, width: 64, height: 32)
        let image = try folder.load("odd", bytes)
        #expect(matches(image, Self.stored, tolerance: encoding == .jpeg ? 8 : 0), "\(block)")
      }
    }
  }

  @Test("ignores Exif entries that point outside of the file")
  func hostileEntries() throws {
    // A description of four gigabytes before the orientation.
    let exif: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0]
      + [0x0E, 0x01, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0A, 0, 0, 0]
      + [0x12, 0x01, 3, 0, 1, 0, 0, 0, 3, 0, 0, 0]
    for encoding in StoredPicture.Encoding.allCases {
      let image = try load(picture, exif, as: encoding)
      let colors = try #require(Self.upright[3])
      #expect(matches(image, colors, tolerance: encoding == .jpeg ? 8 : 0))
    }
  }

  @Test("turns a TIFF by the orientation tag of the file", .enabled(if: hasDecoder("avdec_tiff")))
  func tiff() throws {
    let row = (0..<20).map { StoredColor(red: UInt8(10 * $0), green: 50, blue: 200) }
    let image = try folder.load("turned.tiff", PictureFiles.tiff(row, orientation: 8))
    try #require(image.width == 1 && image.height == 20)
    for y in 0..<20 { #expect(image.color(0, y) == row[19 - y]) }
  }

  @Test("turns a video by the orientation of its track")
  func video() throws {
    let raw = (0..<32).flatMap { y in
      (0..<64).flatMap { x in Self.stored[(x < 32 ? 0 : 1) + (y < 16 ? 0 : 2)].bytes }
    }
    var bytes = try StoredPicture.encode(
      raw, format: "RGBA", width: 64, height: 32,
      by: """
        videoconvert ! video/x-raw,format=I420,colorimetry=1:4:0:0 ! jpegenc quality=100 idct-method=islow ! qtmux
        """)
    // The muxer writes no orientation. The test inserts the matrix of a quarter turn clockwise, 44
    // bytes after the start of the name `tkhd` of the track's header.
    let header = Array("tkhd".utf8)
    let name = try #require(
      bytes.indices.first { bytes[$0...].starts(with: header) && $0 + 80 <= bytes.count })
    let matrix = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 32 << 16, 0, 0x4000_0000]
    bytes.replaceSubrange(
      (name + 44)..<(name + 80), with: matrix.flatMap { PictureFiles.bigEndian($0, count: 4) })
    let image = try folder.load("turned.mov", bytes)
    let colors = try #require(Self.upright[6])
    #expect(image.width == 32 && image.height == 64)
    #expect(matches(image, colors, tolerance: 8))
  }
}
