import Testing

@testable import OpenVINOInference

struct RecurrentSizeTests {
  @Test(arguments: [
    (144, 1280, 720, 256, 144), (144, 1920, 1080, 256, 144), (144, 720, 1280, 144, 256),
    (288, 1280, 720, 512, 288), (144, 640, 480, 192, 144), (144, 16, 16, 144, 144),
    (144, 8192, 16, 576, 144), (144, 16, 8192, 144, 576), (144, 8192, 8192, 144, 144),
    (150, 385, 289, 192, 144), (144, 853, 480, 256, 144),
  ])
  func followsTheFrame(lines: Int, width: Int, height: Int, toWidth: Int, toHeight: Int) {
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
    #expect(size.stateShape(level: 1, channels: 16) == [1, 16, 72, 128])
    #expect(size.stateShape(level: 4, channels: 64) == [1, 64, 9, 16])
  }
}
