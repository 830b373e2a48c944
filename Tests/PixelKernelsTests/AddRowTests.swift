import TestSupport
import Testing

@Suite(.everyInstructionSet) struct AddRowTests {
  @Test func addsEachByteToItsSum() {
    for row in RowCase.all {
      let bytes = row.bytes(row.width, salt: 1)
      let sums = row.row(row.byteValues(row.width, salt: 2).map { UInt16($0) * 255 })
      let expected = zip(sums.samples, bytes.samples).map { UInt16(Int($0) + Int($1)) }
      unsafe kernels.addRow(sums.base, bytes.base, row.width)
      #expect(sums.samples == expected, "\(row)")
      #expect(sums.isBorderIntact && bytes.isBorderIntact, "\(row)")
    }
  }

  @Test func holds257RowsOfTheGreatestByte() {
    let row = SampleRow<UInt8>(Array(repeating: 255, count: 65), at: .unaligned)
    let sums = SampleRow<UInt16>(Array(repeating: 0, count: 65), at: .unaligned)
    for _ in 0..<257 { unsafe kernels.addRow(sums.base, row.base, 65) }
    #expect(sums.samples == Array(repeating: 65535, count: 65))
  }
}
