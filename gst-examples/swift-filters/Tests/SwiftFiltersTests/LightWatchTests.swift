import GstVideoFilterKit
import Testing

@testable import SwiftFilters

@Suite struct LightWatchTests {
  private let stream = VideoStream(width: 64, height: 36, format: .nv12)

  /// Returns the reports for frames with these lumas, ten per second: frame and darkness.
  private func changes(_ lumas: [UInt8]) throws -> [(frame: Int, isDark: Bool)] {
    let frames = lumas.map { luma in
      Array(repeating: luma, count: 64 * 36) + Array(repeating: UInt8(128), count: 64 * 18)
    }
    var watch = LightWatch()
    return try watch.analyze(frames, of: stream, every: .milliseconds(100)).enumerated()
      .compactMap { index, change in change.map { (index, $0.isDark) } }
  }

  @Test("reports a lasting change of light once")
  func reportsLastingChangeOnce() throws {
    let found = try changes(
      Array(repeating: 150, count: 20) + Array(repeating: 20, count: 40)
        + Array(repeating: 150, count: 20))
    #expect(found.map(\.isDark) == [false, true, false])
    // From 150, with a tenth of the way to 20 per frame, the level falls below 52 in 14 frames.
    // Then it rises above 68 in five frames.
    #expect(found.map(\.frame) == [0, 33, 64])
  }

  @Test func shortChangesAndFlickerAreNotReported() throws {
    let flicker: [UInt8] = (0..<60).map { $0 % 2 == 0 ? 40 : 80 }
    #expect(try changes(Array(repeating: 100, count: 10) + flicker).count == 1)
    let moment: [UInt8] = Array(repeating: 0, count: 3) + Array(repeating: 100, count: 20)
    #expect(try changes(Array(repeating: 100, count: 10) + moment).count == 1)
  }
}
