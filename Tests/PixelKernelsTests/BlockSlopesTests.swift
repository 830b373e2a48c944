import PixelTypes
import TestSupport
import Testing

/// Blocks with exactly the surroundings that the kernels read.
@Suite(.everyInstructionSet) struct BlockSlopesTests {
  static let strides = [10, 11, 16, 61]

  /// Returns the slopes of a block, given its surroundings row by row.
  private func slopes(
    _ samples: [UInt8], _ stride: Int
  ) -> (across: [Int16], down: [Int16], products: [Int32]) {
    func at(_ x: Int, _ y: Int) -> Int16 { Int16(samples[(y + 1) * stride + x + 1]) }
    let positions = (0..<64).map { ($0 % 8, $0 / 8) }
    let across = positions.map { x, y in at(x + 1, y) - at(x - 1, y) }
    let down = positions.map { x, y in at(x, y + 1) - at(x, y - 1) }
    func product(_ a: [Int16], _ b: [Int16]) -> Int32 {
      zip(a, b).reduce(0) { $0 + Int32($1.0) * Int32($1.1) }
    }
    return (across, down, [product(across, across), product(across, down), product(down, down)])
  }

  /// Calls the kernel for a block.
  ///
  /// `row` contains the surroundings, too.
  private func computed(
    _ row: SampleRow<UInt8>, _ stride: Int, _ placement: RowPlacement
  ) -> (across: [Int16], down: [Int16], products: [Int32]) {
    let (across, down) = (
      SampleRow([Int16](repeating: 7, count: 64), at: placement),
      SampleRow([Int16](repeating: 7, count: 64), at: placement)
    )
    let products = SampleRow([Int32](repeating: 7, count: 3), at: placement)
    unsafe kernels.blockSlopes(
      UnsafePointer(row.base) + stride + 1, stride, across.base, down.base, products.base)
    return (across.samples, down.samples, products.samples)
  }

  @Test(arguments: strides) func slopesAreDifferencesOfNeighbours(stride: Int) {
    let count = 9 * stride + 10
    for contents in Contents.allCases {
      for placement in RowPlacement.allCases {
        let row = RowCase(width: count, contents: contents, placement: placement)
          .bytes(count, salt: 1)
        let (expected, found) = (
          slopes(row.samples, stride), computed(row, stride, placement)
        )
        #expect(
          found.across == expected.across && found.down == expected.down
            && found.products == expected.products, "\(contents) \(placement)")
      }
    }
  }

  /// The specification of `blockOffset`.
  private func offset(
    of block: [UInt8], from other: [UInt8], _ stride: Int, _ r: Int, _ s: Int,
    _ slopes: (across: [Int16], down: [Int16], products: [Int32])
  ) -> [Int32] {
    var sums = [Int32(0), Int32(0)]
    for y in 0..<8 {
      for x in 0..<8 {
        func at(_ x: Int, _ y: Int) -> Int { Int(other[y * stride + x]) }
        let above: Int = at(x, y) * (16 - r) + at(x + 1, y) * r
        let below: Int = at(x, y + 1) * (16 - r) + at(x + 1, y + 1) * r
        let sample: Int = (above * (16 - s) + below * s + 8) / 16
        let d = Int32(sample) - 16 * Int32(block[(y + 1) * stride + x + 1])
        sums[0] += Int32(slopes.across[8 * y + x]) * d
        sums[1] += Int32(slopes.down[8 * y + x]) * d
      }
    }
    return sums
  }

  @Test(arguments: strides) func aBlockBetweenSamplesIsCompared(stride: Int) {
    let (count, otherCount) = (9 * stride + 10, 8 * stride + 9)
    for contents in Contents.allCases {
      for placement in RowPlacement.allCases {
        let row = RowCase(width: count, contents: contents, placement: placement)
        let (block, other) = (row.bytes(count, salt: 1), row.bytes(otherCount, salt: 2))
        let slopes = slopes(block.samples, stride)
        let (across, down) = (
          SampleRow(slopes.across, at: placement), SampleRow(slopes.down, at: placement)
        )
        for (r, s) in [(0, 0), (15, 0), (0, 15), (7, 4), (15, 15)] {
          let sums = SampleRow([Int32](repeating: 7, count: 2), at: placement)
          unsafe kernels.blockOffset(
            UnsafePointer(block.base) + stride + 1, stride, other.base, stride, r, s, across.base,
            down.base, sums.base)
          let expected = offset(of: block.samples, from: other.samples, stride, r, s, slopes)
          #expect(sums.samples == expected, "\(row) \(r) \(s)")
        }
      }
    }
  }

  /// Uses the steepest possible slopes and the greatest difference.
  @Test func theGreatestSumsFit() {
    let stride = 10
    let stripes = (0..<100).map { UInt8($0 % 10 / 2 % 2 == 0 ? 0 : 255) }
    let block = SampleRow(stripes, at: .pageEnd)
    let found = computed(block, stride, .aligned)
    let greatest: [Int32] = [64 * 255 * 255, 0, 0]
    #expect(found.products == greatest)
    let (across, down) = (
      SampleRow(found.across.map { _ in Int16(255) }, at: .aligned),
      SampleRow(found.across.map { _ in Int16(-255) }, at: .aligned)
    )
    let dark = SampleRow([UInt8](repeating: 0, count: 100), at: .pageEnd)
    let light = SampleRow([UInt8](repeating: 255, count: 100), at: .pageEnd)
    let sums = SampleRow([Int32](repeating: 0, count: 2), at: .aligned)
    unsafe kernels.blockOffset(
      UnsafePointer(dark.base) + 11, stride, light.base, stride, 15, 15, across.base, down.base,
      sums.base)
    let most = Int32(64 * 255 * 255 * 16)
    #expect(sums.samples == [most, -most])
  }
}
