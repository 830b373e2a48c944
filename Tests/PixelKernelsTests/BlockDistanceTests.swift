import TestSupport
import Testing

@Suite(.everyInstructionSet) struct BlockDistanceTests {
  @Test(arguments: [8, 9, 16, 61])
  func addsUpTheDistances(stride: Int) {
    // The last block ends with its last sample: the kernel must not read beyond it.
    let count = 7 * stride + 8
    for contents in Contents.allCases {
      for placement in RowPlacement.allCases {
        let row = RowCase(width: count, contents: contents, placement: placement)
        let (a, b) = (row.bytes(count, salt: 1), row.bytes(count, salt: 2))
        var expected = 0
        for y in 0..<8 {
          for x in 0..<8 {
            let i = y * stride + x
            expected += abs(Int(a[i]) - Int(b[i]))
          }
        }
        #expect(
          unsafe kernels.blockDistance(a.base, stride, b.base, stride) == expected, "\(row)")
      }
    }
  }

  @Test func eachBlockHasItsOwnStride() {
    var generator = SeededGenerator(seed: 3)
    let samples = generator.bytes(64)
    var wide = [UInt8](repeating: 200, count: 7 * 11 + 8)
    for i in 0..<64 { wide[i / 8 * 11 + i % 8] = samples[i] }
    let (a, b) = (SampleRow(samples, at: .unaligned), SampleRow(wide, at: .pageEnd))
    #expect(unsafe kernels.blockDistance(a.base, 8, b.base, 11) == 0)
    #expect(unsafe kernels.blockDistance(b.base, 11, a.base, 8) == 0)
  }

  @Test func theGreatestDistanceFits() {
    let (a, b) = (
      SampleRow([UInt8](repeating: 0, count: 64), at: .aligned),
      SampleRow([UInt8](repeating: 255, count: 64), at: .aligned)
    )
    #expect(unsafe kernels.blockDistance(a.base, 8, b.base, 8) == 64 * 255)
  }
}
