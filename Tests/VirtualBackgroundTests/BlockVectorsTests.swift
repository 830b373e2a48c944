import PixelTypes
import Testing

@testable import VirtualBackground

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
      Pictures(earlier: earlier.plane, current: current.plane))
  }

  @Test func aSampleGoesWithTheBlockThatShowsIt() {
    // Half of the way between the blocks, where their mean would be that it stands still.
    #expect(abs(apart.position(ofSample: 8, 3, 4, 4).x - (8 * 16 - 32)) <= 2)
    #expect(abs(apart.position(ofSample: 16, 3, 4, 4).x - (16 * 16 + 32)) <= 2)
  }

  @Test func blocksThatShowItAlikeCountByTheirDistance() {
    let flat = Raster<UInt8>(width: 24, height: 8, filledWith: 90)
    let vectors = BlockVectors(
      x: (0, 32, 0, 32), y: (0, 0, 32, 32),
      Pictures(earlier: flat.plane, current: flat.plane))
    let position = vectors.position(ofSample: 8, 3, 1, 7)
    #expect(position.x == 8 * 16 + 4 && position.y == 3 * 16 + 28)
    withExtendedLifetime(flat) {}
  }

  @Test func oneVectorIsTakenAsItIs() {
    let vectors = BlockVectors(
      x: (-5, -5, -5, -5), y: (19, 19, 19, 19),
      Pictures(earlier: earlier.plane, current: current.plane))
    let position = vectors.position(ofSample: 11, 2, 3, 5)
    #expect(position.x == 11 * 16 - 5 && position.y == 2 * 16 + 19)
  }

  /// Vectors that are nearly the same are not weighed, whatever the pictures show.
  @Test func vectorsThatAgreeCountByTheirDistance() {
    let vectors = BlockVectors(
      x: (16, 20, 16, 20), y: (0, 0, -4, -4),
      Pictures(earlier: earlier.plane, current: current.plane))
    let position = vectors.position(ofSample: 11, 2, 4, 4)
    #expect(position.x == 11 * 16 + 18 && position.y == 2 * 16 - 2)
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
      Pictures(earlier: earlier.plane, current: current.plane))
    for (x, y) in [(0, 0), (23, 0), (0, 7), (23, 7)] {
      // 150 against noise: the blocks to the right count 37 times as much.
      let position = vectors.position(ofSample: x, y, 4, 4)
      #expect(abs(position.x - 16 * x - 3790) <= 10)
    }
    withExtendedLifetime((earlier, current)) {}
  }
}
