import PixelTypes
import Testing

@testable import Matting

@Suite struct BlockVectorsTests {
  /// The left half of the later picture is what lay two samples further left, the right half what lay
  /// two further right.
  private let earlier = Raster<UInt8>(width: 24, height: 8, filledWith: 0)
  private let current = Raster<UInt8>(width: 24, height: 8, filledWith: 0)
  private let apart: BlockVectors

  /// Anything but a slope: no two samples near each other are alike.
  private static func texture(_ x: Int) -> UInt8 { UInt8(truncatingIfNeeded: 97 &* (x + 5)) }

  init() {
    for y in 0..<8 {
      for x in 0..<24 {
        unsafe earlier.row(y)[x] = Self.texture(x)
        unsafe current.row(y)[x] = Self.texture(x < 12 ? x - 2 : x + 2)
      }
    }
    apart = BlockVectors(
      x: (-32, 32, -32, 32), y: (0, 0, 0, 0),
      Pictures(earlier: earlier.plane, current: current.plane), noise: 64)
  }

  /// Where sample `lane` of four was, in sixteenths.
  private func position(
    _ vectors: BlockVectors, ofFourFrom column: Int, _ row: Int, down: Int, lane: Int
  ) -> (x: Int, y: Int) {
    let positions = vectors.positions(ofFourFrom: column, row, down: down)
    return (Int(positions.x[lane]), Int(positions.y[lane]))
  }

  @Test func aSampleGoesWithTheBlockThatShowsIt() {
    for lane in 0..<4 {
      // The other block is up to seven times as near, but differs by 31 times the noise: what it says
      // is 64 away and counts for less than a fifth. Without that it would be up to 56.
      let left = position(apart, ofFourFrom: 6, 3, down: 3, lane: lane)
      #expect(abs(left.x - ((6 + lane) * 16 - 32)) <= 12, "lane \(lane)")
      let right = position(apart, ofFourFrom: 14, 3, down: 3, lane: lane)
      #expect(abs(right.x - ((14 + lane) * 16 + 32)) <= 12, "lane \(lane)")
    }
  }

  @Test func blocksThatShowItAlikeCountByTheirDistance() {
    let flat = Raster<UInt8>(width: 24, height: 8, filledWith: 90)
    let vectors = BlockVectors(
      x: (0, 32, 0, 32), y: (0, 0, 32, 32),
      Pictures(earlier: flat.plane, current: flat.plane), noise: 64)
    for lane in 0..<4 {
      // 1, 3, 5 and 7 eighths of the way to the right, 7 eighths down.
      let position = position(vectors, ofFourFrom: 8, 3, down: 7, lane: lane)
      #expect(position.x == (8 + lane) * 16 + 4 * (2 * lane + 1), "lane \(lane)")
      #expect(position.y == 3 * 16 + 28, "lane \(lane)")
    }
    withExtendedLifetime(flat) {}
  }

  @Test func oneVectorIsTakenAsItIs() {
    let vectors = BlockVectors(
      x: (-5, -5, -5, -5), y: (19, 19, 19, 19),
      Pictures(earlier: earlier.plane, current: current.plane), noise: 64)
    for lane in 0..<4 {
      let position = position(vectors, ofFourFrom: 11, 2, down: 5, lane: lane)
      #expect(position == ((11 + lane) * 16 - 5, 2 * 16 + 19), "lane \(lane)")
    }
  }

  /// Vectors that are nearly the same are not weighed, whatever the pictures show.
  @Test func vectorsThatAgreeCountByTheirDistance() {
    let vectors = BlockVectors(
      x: (16, 20, 16, 20), y: (0, 0, -4, -4),
      Pictures(earlier: earlier.plane, current: current.plane), noise: 64)
    // 5 of 8 of the way from 16 to 20, and as much from 0 to -4.
    let position = position(vectors, ofFourFrom: 9, 2, down: 5, lane: 2)
    #expect(position == (11 * 16 + 18, 2 * 16 - 2))
  }

  /// What would lie outside of the picture is compared with its border: that shows what the sample shows.
  @Test func vectorsMayPointOutside() {
    let (earlier, current) = (
      Raster<UInt8>(width: 24, height: 8, filledWith: 50),
      Raster<UInt8>(width: 24, height: 8, filledWith: 200)
    )
    for y in 0..<8 { unsafe earlier.row(y)[23] = 200 }
    let vectors = BlockVectors(
      x: (-4000, 4000, -4000, 4000), y: (-4000, 4000, 4000, -4000),
      Pictures(earlier: earlier.plane, current: current.plane), noise: 64)
    // The first and the last samples of the picture lie in squares that begin outside, or end there.
    for (column, lanes) in [(-2, 2...3), (22, 0...1)] {
      for y in [0, 7] {
        for lane in lanes {
          // 150 against noise: the blocks to the right count at least 5 times as much.
          let position = position(vectors, ofFourFrom: column, y, down: 3, lane: lane)
          #expect((4000 - 8000 / 5...4000).contains(position.x - 16 * (column + lane)))
        }
      }
    }
    withExtendedLifetime((earlier, current)) {}
  }
}
