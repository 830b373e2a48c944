import TestSupport
import Testing

@Suite(.everyInstructionSet) struct AverageColumnsTests {
  @Test(arguments: 1...4)
  func givesTheMeanOfEachSquareBlock(shift: Int) {
    let size = 1 << shift
    for row in RowCase.all where row.width > 0 {
      let block = (0..<size).map { row.byteValues(row.width, salt: UInt64($0)) }
      let sums = row.row(columnSums(block))
      let out = row.row(repeating: 1 as UInt8, (row.width + size - 1) / size)
      unsafe kernels.averageColumns(sums.base, row.width, shift, out.base)
      let expected = (0..<out.count).map { i in
        mean(size) { y, x in block[y][min(i * size + x, row.width - 1)] }
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && sums.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: 1...4)
  func givesTheMeanOfEachSquareBlockOfPairs(shift: Int) {
    let size = 1 << shift
    for row in RowCase.all where row.width > 0 {
      let block = (0..<size).map { row.byteValues(2 * row.width, salt: UInt64($0)) }
      let sums = row.row(columnSums(block))
      let out = row.row(repeating: 1 as UInt8, (row.width + size - 1) / size * 2)
      unsafe kernels.averageColumnPairs(sums.base, row.width, shift, out.base)
      let expected = (0..<out.count).map { i in
        mean(size) { y, x in block[y][2 * min(i / 2 * size + x, row.width - 1) + i % 2] }
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && sums.isBorderIntact, "\(row)")
    }
  }

  @Test func roundsHalvesUp() {
    let sums = SampleRow<UInt16>([1, 1, 2, 3, 0, 1], at: .pageEnd)
    let out = SampleRow<UInt8>([9, 9, 9], at: .pageEnd)
    unsafe kernels.averageColumns(sums.base, 6, 1, out.base)
    #expect(out.samples == [1, 1, 0])
  }

  private func columnSums(_ block: [[UInt8]]) -> [UInt16] {
    (0..<block[0].count).map { x in block.reduce(0) { $0 + UInt16($1[x]) } }
  }

  private func mean(_ size: Int, _ sample: (_ y: Int, _ x: Int) -> UInt8) -> UInt8 {
    var sum = 0.0
    for y in 0..<size {
      for x in 0..<size { sum += Double(sample(y, x)) }
    }
    return rounded(sum / Double(size * size))
  }
}
