import Testing

@testable import OpenVINOInference

struct RecurrentSizeTests {
  @Test(arguments: [Int.min, -1, 0, 1, 63, 1 << 20, Int.max], [Int.min, 0, 1, 1 << 40, Int.max])
  func absurdRequestsStayInBounds(lines: Int, side: Int) {
    for size in [
      RecurrentSize(lines: lines, frameWidth: side, frameHeight: 1080),
      RecurrentSize(lines: lines, frameWidth: 1080, frameHeight: side),
    ] {
      for length in [size.width, size.height] {
        #expect(length % 16 == 0)
        #expect(64...ModelFamily.largestSide ~= length)
      }
    }
  }
}
