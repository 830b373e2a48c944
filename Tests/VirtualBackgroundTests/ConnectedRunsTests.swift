import PixelTypes
import TestSupport
import Testing

@testable import Matting

@Suite struct ConnectedRunsTests {
  private func raster(_ rows: [String]) -> Raster<UInt8> {
    let raster = Raster<UInt8>(width: rows[0].count, height: rows.count, filledWith: 0)
    for (y, row) in rows.enumerated() {
      for (x, character) in row.utf8.enumerated() where character != UInt8(ascii: ".") {
        unsafe raster.row(y)[x] = 100 + character - UInt8(ascii: "0")
      }
    }
    return raster
  }

  private func runs(_ matte: Raster<UInt8>) -> ConnectedComponents? {
    let runs = ConnectedComponents(width: matte.width, height: matte.height)
    guard runs.find(atLeast: 96, in: matte) else { return nil }
    runs.measure(matte)
    return runs
  }

  @Test func aComponentIsMeasured() throws {
    let runs = try #require(
      self.runs(
        raster([
          "..........",
          "..123.....",
          "....4..99.",
          "..........",
        ])))
    try #require(runs.count == 2)
    let first = runs[0]
    #expect(first.area == 4 && first.sum == 410 && first.peak == 104)
    #expect(first.left == 2 && first.top == 1 && first.right == 5 && first.bottom == 3)
    #expect(runs[1].area == 2 && runs[1].mean == 109)
  }

  @Test func armsThatMeetLaterAreOneComponent() throws {
    let runs = try #require(
      self.runs(
        raster([
          "1.1.1.1",
          "1.1.1.1",
          "1.111.1",
          "1.....1",
          "1111111",
          ".......",
          "1111111",
        ])))
    #expect(runs.count == 3)
    #expect((0..<runs.count).map { runs[$0].area }.sorted() == [7, 7, 15])
  }

  @Test func cornersConnect() throws {
    #expect(try #require(runs(raster(["1..", ".1.", "..1"]))).count == 1)
    #expect(try #require(runs(raster(["1..", "..1"]))).count == 2)
  }

  @Test func theDistanceIsFromRimToRim() throws {
    let runs = try #require(self.runs(raster(["11.....", ".......", ".....11", "......."])))
    try #require(runs.count == 2)
    let distance = try #require(runs.distance(from: 1, within: 5, where: { $0 == 0 }))
    #expect(abs(distance - 20.0.squareRoot()) < 1e-9)
    #expect(runs.distance(from: 1, within: 4, where: { $0 == 0 }) == nil)
    #expect(runs.distance(from: 1, within: 5, where: { _ in false }) == nil)
  }

  @Test func overlapsAreCounted() throws {
    let first = try #require(runs(raster(["1111...", ".....11"])))
    let second = try #require(runs(raster(["..1.1.1", "1....11"])))
    var overlaps = [0, 0]
    first.forEachOverlap(with: second) { own, _, samples in overlaps[own] += samples }
    #expect(overlaps == [1, 2])
  }

  /// Whatever the width and the threshold: as a search sample by sample finds them.
  @Test(arguments: [1, 7, 8, 9, 31, 32, 33, 64, 100], [UInt8(1), 96, 128, 129, 224, 255])
  func runsAreFoundAtAnyPlace(width: Int, threshold: UInt8) throws {
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
        let found = runs.runs(inRow: y).map {
          Int(runs.run($0).first)..<Int(runs.run($0).end)
        }
        #expect(found == expected[y], "row \(y)")
      }
    }
  }

  @Test func tooManyRunsAreRefused() {
    let matte = Raster<UInt8>(width: 320, height: 180, filledWith: 0)
    for y in 0..<180 { for x in 0..<320 where (x + y) % 2 == 0 { unsafe matte.row(y)[x] = 255 } }
    #expect(runs(matte) == nil)
  }

  @Test func tooManyComponentsAreRefused() {
    let matte = Raster<UInt8>(width: 320, height: 180, filledWith: 0)
    // 1040 specks, in no more runs than there is room for.
    for y in 0..<26 { for x in 0..<40 { unsafe matte.row(6 * y)[8 * x] = 255 } }
    #expect(runs(matte) == nil)
  }
}
