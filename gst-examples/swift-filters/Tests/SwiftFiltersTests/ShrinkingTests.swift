import GstVideoFilterKit
import Testing

/// Guarantees for filters that examine their frames.
@Suite struct ShrinkingTests {
  private struct Looking: VideoFilter {
    static let id = "looking", name = "Looking"
    var request = PictureRequest(maximumWidth: 1, format: .luma)
    var picture: AnalysisPicture?

    mutating func process(_ frame: inout VideoFrame) throws {
      var shrinker = PictureShrinker(request)
      picture = shrinker.shrink(&frame, into: [])
    }
  }

  /// Pixels are rounded means of whole blocks, or of four rows of large blocks.
  @Test(arguments: [(41, 41), (41, 21), (42, 11), (97, 17), (64, 8), (301, 3), (7, 100), (8, 8)])
  func pixelsAreMeans(_ width: Int, _ most: Int) throws {
    let height = 23
    var state: UInt32 = 7
    for format in [VideoFrame.Format.nv12, .rgba] {
      let stream = VideoStream(width: width, height: height, format: format)
      let channels = format == .rgba ? 4 : 1
      let chroma = format == .rgba ? 0 : 2 * ((width + 1) / 2) * ((height + 1) / 2)
      var bytes = (0..<width * height * channels + chroma).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(truncatingIfNeeded: state >> 24)
      }
      var filter = Looking(
        request: PictureRequest(maximumWidth: most, format: format == .rgba ? .rgb : .luma))
      try filter.process(&bytes, of: stream)
      let picture = try #require(filter.picture)
      #expect(picture.width <= most)
      let scale = picture.scale
      for y in 0..<picture.height {
        let rows = min(scale, height - y * scale)
        let looked = (0..<min(rows, 4)).map { y * scale + $0 * rows / min(rows, 4) }
        for x in 0..<picture.width {
          for channel in 0..<picture.format.bytesPerPixel {
            var (sum, count) = (0, 0)
            for row in looked {
              for column in x * scale..<min((x + 1) * scale, width) {
                sum += Int(bytes[(row * width + column) * channels + channel])
                count += 1
              }
            }
            let at = (y * picture.width + x) * picture.format.bytesPerPixel + channel
            #expect(Int(picture.bytes[at]) == (sum + count / 2) / count)
          }
        }
      }
    }
  }
}
