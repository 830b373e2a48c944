import PixelTypes
import TestSupport
import Testing

@testable import Matting

@Suite struct ConnectedComponentsTests {
  /// Covers widths around vector widths, and thresholds up to the maximum.
  @Test(
    "finds the same runs as a search sample by sample",
    arguments: [1, 7, 8, 9, 31, 32, 33, 64, 100], [UInt8(1), 96, 128, 129, 224, 255])
  func findsRuns(width: Int, threshold: UInt8) throws {
    var generator = SeededGenerator(seed: UInt64(width) * 256 + UInt64(threshold))
    for evenness in [2, 10, 60] {
      let matte = Raster<UInt8>(width: width, height: 5, filledWith: 0)
      var expected: [[Range<Int>]] = []
      for y in 0..<5 {
        var inside = false
        var ranges: [Range<Int>] = []
        for x in 0..<width {
          if Int.random(in: 0..<evenness, using: &generator) == 0 { inside.toggle() }
          let range: ClosedRange<UInt8> = inside ? threshold...255 : 0...(threshold - 1)
          unsafe matte.row(y)[x] = UInt8.random(in: range, using: &generator)
          guard inside else { continue }
          if let last = ranges.last, last.upperBound == x {
            ranges[ranges.count - 1] = last.lowerBound..<x + 1
          } else {
            ranges.append(x..<x + 1)
          }
        }
        expected.append(ranges)
      }
      let runs = ConnectedComponents(width: width, height: 5)
      guard runs.find(atLeast: threshold, in: matte) else {
        #expect(expected.reduce(0) { $0 + $1.count } > width * 5 / 8 + 10)
        continue
      }
      for y in 0..<5 {
        let found = runs.runs(inRow: y).map { runs.run($0).columns }
        #expect(found == expected[y], "row \(y)")
      }
    }
  }
}
