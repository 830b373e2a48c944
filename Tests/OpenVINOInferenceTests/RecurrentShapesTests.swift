import Testing

@testable import OpenVINOInference

struct RecurrentShapesTests {
  @Test(arguments: [Int.min, -1, 0, 1, 63, 1 << 20, Int.max], [Int.min, 0, 1, 1 << 40, Int.max])
  func absurdRequestsStayInBounds(lines: Int, side: Int) {
    for shapes in [
      RecurrentShapes(lines: lines, frameWidth: side, frameHeight: 1080, channels: []),
      RecurrentShapes(lines: lines, frameWidth: 1080, frameHeight: side, channels: []),
    ] {
      for length in [shapes.width, shapes.height] {
        #expect(length % 16 == 0)
        #expect(64...ModelFamily.largestSide ~= length)
      }
    }
  }
}
