import TestSupport
import Testing

@Suite(.everyInstructionSet) struct DifferRowTests {
  @Test func computesTheAbsoluteDifference() {
    for row in RowCase.all {
      let (a, b) = (row.bytes(row.width, salt: 1), row.bytes(row.width, salt: 2))
      let out = row.row(repeating: UInt8(7), row.width)
      unsafe kernels.differRow(a.base, b.base, out.base, row.width)
      #expect(
        out.samples == zip(a.samples, b.samples).map { UInt8(abs(Int($0) - Int($1))) }, "\(row)")
      #expect(a.isBorderIntact && b.isBorderIntact && out.isBorderIntact, "\(row)")
    }
  }
}
