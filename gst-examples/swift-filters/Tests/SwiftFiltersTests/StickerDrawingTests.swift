import GstVideoFilterKit
import Testing

@testable import SwiftFilters

@Suite struct StickerDrawingTests {
  static let streams = VideoFrame.Format.allCases.flatMap { format in
    SwiftFiltersTests.colorimetries.map { ($0, format) }
  }.map { colorimetry, format in
    VideoStream(width: 41, height: 33, format: format, colorimetry: colorimetry)
  }

  /// A filter that only draws.
  private struct Drawing: VideoFilter {
    static let id = "drawing", name = "Drawing"
    var image = Glasses.image
    var place = StickerPlace(x: 0, y: 0, width: 0, roll: 0)

    func process(_ frame: inout VideoFrame) throws {
      place.draw(StickerImage(image, for: frame.stream), into: &frame)
    }
  }

  private func draw(
    _ image: ColorImage, at place: StickerPlace, on color: SIMD3<UInt8>, of stream: VideoStream
  ) throws -> [UInt8] {
    var bytes = Coded(stream: stream).bytes(
      Array(repeating: color, count: stream.width * stream.height))
    var filter = Drawing(image: image, place: place)
    try filter.process(&bytes, of: stream)
    return bytes
  }

  /// A picture with four differently coloured quarters: red and green above blue and white.
  private func quarters(_ side: Int, alpha: UInt8 = 255) -> ColorImage {
    ColorImage(
      width: side, height: side,
      bytes: (0..<side * side).flatMap { index -> [UInt8] in
        switch (index % side < side / 2, index / side < side / 2) {
        case (true, true): [220, 20, 20, alpha]
        case (false, true): [20, 220, 20, alpha]
        case (true, false): [20, 20, 220, alpha]
        case (false, false): [220, 220, 220, alpha]
        }
      })
  }

  private func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ limit: Double) -> Bool {
    let way = a - b
    return max(way.max(), -way.min()) <= limit
  }

  /// Checks the middles of the quarters after turns by right angles.
  @Test(arguments: streams, 0..<4)
  func turnsClockwise(_ stream: VideoStream, _ turns: Int) throws {
    let place = StickerPlace(x: 20, y: 16, width: 16, roll: Float(turns) * .pi / 2)
    // A picture of another size is scaled to the width of the place.
    for side in [16, 8, 64] {
      let bytes = try draw(quarters(side), at: place, on: SIMD3(100, 90, 80), of: stream)
      let colors = [
        SIMD3<Double>(220, 20, 20), SIMD3(20, 220, 20), SIMD3(220, 220, 220), SIMD3(20, 20, 220),
      ]
      let corners = [(15, 11), (23, 11), (23, 19), (15, 19)]
      for (index, corner) in corners.enumerated() {
        let color = Coded(stream: stream).color(bytes, corner.0, corner.1)
        #expect(isNear(color, colors[(index + 4 - turns) % 4], 4), "\(side) \(index) \(color)")
      }
      for outside in [(9, 16), (31, 16), (20, 5), (20, 27)] {
        let color = Coded(stream: stream).color(bytes, outside.0, outside.1)
        #expect(isNear(color, SIMD3(100, 90, 80), 4))
      }
    }
  }

  @Test(arguments: streams)
  func alphaMixes(_ stream: VideoStream) throws {
    let place = StickerPlace(x: 20, y: 16, width: 16, roll: 0)
    let bytes = try draw(quarters(16, alpha: 51), at: place, on: SIMD3(100, 90, 80), of: stream)
    // A fifth of (220, 20, 20) plus four fifths of the old colour.
    #expect(isNear(Coded(stream: stream).color(bytes, 15, 11), SIMD3(124, 76, 68), 4))
    if stream.format == .rgba { #expect(bytes[4 * (11 * stream.width + 15) + 3] == 255) }
  }

  /// The transparent half of the image is green.
  @Test("does not mix in the colour of transparent pixels", arguments: streams)
  func ignoresColorOfTransparentPixels(_ stream: VideoStream) throws {
    var bytes: [UInt8] = []
    for index in 0..<64 { bytes += index % 8 < 4 ? [200, 200, 200, 255] : [0, 255, 0, 0] }
    let image = ColorImage(width: 8, height: 8, bytes: bytes)
    let place = StickerPlace(x: 20, y: 16, width: 27, roll: 0.4)
    let drawn = try draw(image, at: place, on: SIMD3(200, 200, 200), of: stream)
    for y in 0..<stream.height {
      for x in 0..<stream.width {
        #expect(isNear(Coded(stream: stream).color(drawn, x, y), SIMD3(200, 200, 200), 5))
      }
    }
  }

  /// Over a transparent frame, the sticker is visible.
  @Test func alphaOfTheFrameIsKept() throws {
    let stream = VideoStream(width: 20, height: 20, format: .rgba)
    var filter = Drawing(
      image: quarters(16, alpha: 102), place: StickerPlace(x: 10, y: 10, width: 16, roll: 0))
    var bytes = [UInt8](repeating: 0, count: 1600)
    try filter.process(&bytes, of: stream)
    let at = 4 * (6 * 20 + 6)
    #expect(Array(bytes[at..<at + 4]) == [220, 20, 20, 102])
  }

  /// At each place, even half or far outside, and with odd sizes or a single pixel.
  @Test(arguments: VideoFrame.Format.allCases, [(1, 1), (2, 1), (3, 5), (16, 16), (33, 7)])
  func staysInTheFrame(_ format: VideoFrame.Format, _ size: (Int, Int)) throws {
    let stream = VideoStream(width: size.0, height: size.1, format: format)
    let untouched = Coded(stream: stream).bytes(
      Array(repeating: SIMD3(90, 90, 90), count: size.0 * size.1))
    for x in [-.greatestFiniteMagnitude, -40, -3, 0, 2.5, 30, 1e9, .infinity, .nan] as [Float] {
      for width in [0, 1, 7.3, 90, 1e6, .infinity, .nan] as [Float] {
        for roll in [0, 0.5, -3, .nan] as [Float] {
          let place = StickerPlace(x: x, y: x, width: width, roll: roll)
          let bytes = try draw(quarters(6), at: place, on: SIMD3(90, 90, 90), of: stream)
          let isNothing = !(x.isFinite && width.isFinite && roll.isFinite) || width < 1
          if isNothing || x.magnitude > 1e8 { #expect(bytes == untouched) }
          if width == 90, x == 2.5, roll == 0 { #expect(bytes != untouched) }
        }
      }
    }
  }
}
