import GstVideoFilterKit
import Testing

@testable import SwiftFilters

@Suite struct SwiftFiltersTests {
  static let colorimetries = [Colorimetry.Matrix.bt601, .bt709, .bt2020].flatMap { matrix in
    [Colorimetry.Range.limited, .full].map { Colorimetry(matrix: matrix, range: $0) }
  }

  /// A frame of one colour.
  private func frame(_ first: UInt8, _ second: UInt8, _ third: UInt8, of stream: VideoStream)
    -> [UInt8]
  {
    let pixels = stream.width * stream.height
    let blocks = (stream.width + 1) / 2 * ((stream.height + 1) / 2)
    switch stream.format {
    case .nv12:
      return Array(repeating: first, count: pixels)
        + (0..<blocks).flatMap { _ in [second, third] }
    case .i420:
      return Array(repeating: first, count: pixels) + Array(repeating: second, count: blocks)
        + Array(repeating: third, count: blocks)
    case .rgba:
      return (0..<pixels).flatMap { _ in [first, second, third, 77] }
    }
  }

  @Test(arguments: VideoFrame.Format.allCases, [(4, 4), (5, 3)])
  func grayscaleKeepsTheLuma(_ format: VideoFrame.Format, _ size: (Int, Int)) throws {
    let stream = VideoStream(width: size.0, height: size.1, format: format)
    var filter = Grayscale()
    var bytes = frame(200, 90, 30, of: stream)
    try filter.process(&bytes, of: stream)
    // Of red 200, green 90, blue 30 the luma of BT.709 is 109.05.
    let expected =
      format == .rgba
      ? frame(109, 109, 109, of: stream) : frame(200, 128, 128, of: stream)
    #expect(bytes == expected)
  }

  /// A grey of any colour space becomes the same brown.
  @Test(arguments: colorimetries, [VideoFrame.Format.nv12, .i420])
  func sepiaIsTheSameToneInEachColorSpace(
    _ colorimetry: Colorimetry, _ format: VideoFrame.Format
  ) throws {
    let stream = VideoStream(width: 6, height: 5, format: format, colorimetry: colorimetry)
    for grey in [UInt8(0), 40, 120, 180] {
      let coded = colorimetry.codeValues(red: grey, green: grey, blue: grey)
      var filter = Sepia()
      var bytes = frame(coded.luma, coded.cb, coded.cr, of: stream)
      try filter.process(&bytes, of: stream)
      func channel(_ share: Double) -> UInt8 { UInt8(min(Double(grey) * share, 255).rounded()) }
      let tone = colorimetry.codeValues(
        red: channel(1.112), green: channel(0.990), blue: channel(0.771))
      let expected = frame(tone.luma, tone.cb, tone.cr, of: stream)
      // The filter converts the rounded code value of the grey, which causes an error of at most 1.
      #expect(zip(bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      // The brightness stays the same, in BT.2020 nearly so.
      #expect(abs(Int(bytes[0]) - Int(coded.luma)) <= 2)
    }
  }

  @Test func sepiaOfColorsKeepsTheAlpha() throws {
    let stream = VideoStream(width: 3, height: 3, format: .rgba)
    var filter = Sepia()
    var bytes = frame(100, 100, 100, of: stream)
    try filter.process(&bytes, of: stream)
    #expect(bytes == frame(110, 98, 76, of: stream) || bytes == frame(111, 99, 77, of: stream))
  }

  @Test(arguments: VideoFrame.Format.allCases)
  func withoutStrengthSepiaChangesNothing(_ format: VideoFrame.Format) throws {
    let stream = VideoStream(width: 7, height: 4, format: format)
    var filter = Sepia()
    filter.strength = 0
    let before = frame(180, 90, 210, of: stream)
    var bytes = before
    try filter.process(&bytes, of: stream)
    #expect(bytes == before)
  }

  @Test func aFrameOfAnotherSizeIsRefused() {
    let stream = VideoStream(width: 7, height: 4, format: .nv12)
    var filter = Grayscale()
    var bytes: [UInt8] = [1, 2, 3]
    #expect(throws: FrameSizeError.self) { try filter.process(&bytes, of: stream) }
    #expect(bytes == [1, 2, 3])
  }
}
