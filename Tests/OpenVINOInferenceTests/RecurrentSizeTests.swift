import Testing

@testable import OpenVINOInference

struct RecurrentSizeTests {
  @Test(arguments: [
    (144, 1280, 720, 224, 160), (144, 1920, 1080, 224, 160), (144, 720, 1280, 160, 224),
    (288, 1280, 720, 448, 336), (144, 640, 480, 208, 176), (144, 16, 16, 192, 192),
    (144, 8192, 16, 272, 128), (144, 16, 8192, 128, 272), (144, 8192, 8192, 192, 192),
    (150, 385, 289, 208, 192), (144, 853, 480, 224, 160),
  ])
  func liesBetweenTheFramesShapeAndASquare(
    lines: Int, width: Int, height: Int, toWidth: Int, toHeight: Int
  ) {
    let size = RecurrentSize(lines: lines, frameWidth: width, frameHeight: height)
    #expect(size.width == toWidth)
    #expect(size.height == toHeight)
  }

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

  @Test func statesAreHalvedAndRoundedUp() {
    let size = RecurrentSize(lines: 144, frameWidth: 1280, frameHeight: 720)
    #expect(size.stateShape(level: 1, channels: 16) == [1, 16, 80, 112])
    #expect(size.stateShape(level: 4, channels: 64) == [1, 64, 10, 14])
  }
}
