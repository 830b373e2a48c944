import TestSupport
import Testing

@Suite(.everyInstructionSet) struct SumRowsTests {
  @Test func sumsTwoRows() {
    for row in RowCase.all {
      let (a, b) = (row.bytes(row.width, salt: 1), row.bytes(row.width, salt: 2))
      let sums = row.row(repeating: UInt16(7), row.width)
      unsafe kernels.sumTwoRows(sums.base, a.base, b.base, row.width)
      #expect(sums.samples == zip(a.samples, b.samples).map { UInt16($0) + UInt16($1) }, "\(row)")
      #expect(sums.isBorderIntact && a.isBorderIntact, "\(row)")
    }
  }

  @Test func addsFourRowsAtOnce() {
    for row in RowCase.all {
      let rows = (1...4).map { row.bytes(row.width, salt: $0) }
      let sums = row.row(row.byteValues(row.width, salt: 5).map { UInt16($0) * 100 })
      let expected = sums.samples.indices.map { i in
        sums[i] + rows.reduce(0) { $0 + UInt16($1[i]) }
      }
      unsafe kernels.addFourRows(
        sums.base, rows[0].base, rows[1].base, rows[2].base, rows[3].base, row.width)
      #expect(sums.samples == expected, "\(row)")
      #expect(sums.isBorderIntact, "\(row)")
      // Repeat without the previous sums.
      let alone = zip(expected, row.byteValues(row.width, salt: 5)).map { $0 - UInt16($1) * 100 }
      unsafe kernels.sumFourRows(
        sums.base, rows[0].base, rows[1].base, rows[2].base, rows[3].base, row.width)
      #expect(sums.samples == alone, "\(row)")
      #expect(sums.isBorderIntact && rows.allSatisfy(\.isBorderIntact), "\(row)")
    }
  }

  @Test func addsOneRowFourTimes() {
    let row = SampleRow<UInt8>(Array(repeating: 255, count: 70), at: .pageEnd)
    let sums = SampleRow<UInt16>(Array(repeating: 7, count: 70), at: .pageEnd)
    unsafe kernels.addFourRows(sums.base, row.base, row.base, row.base, row.base, 70)
    #expect(sums.samples == Array(repeating: 1027, count: 70))
    unsafe kernels.sumTwoRows(sums.base, row.base, row.base, 70)
    #expect(sums.samples == Array(repeating: 510, count: 70))
  }
}
