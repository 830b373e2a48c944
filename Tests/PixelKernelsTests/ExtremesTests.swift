import TestSupport
import Testing

@Suite(.everyInstructionSet) struct ExtremesTests {
  typealias Kernel = (
    UnsafePointer<UInt8>, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int
  ) -> Void

  @Test func maximumIsTheGreaterByte() {
    unsafe check(kernels.maximumRow, max)
  }

  @Test func minimumIsTheLesserByte() {
    unsafe check(kernels.minimumRow, min)
  }

  private func check(_ kernel: Kernel, _ specification: (UInt8, UInt8) -> UInt8) {
    for row in RowCase.all {
      let first = row.bytes(row.width, salt: 1)
      let second = row.bytes(row.width, salt: 2)
      let out = row.row(repeating: 7 as UInt8, row.width)
      let expected = zip(first.samples, second.samples).map(specification)
      unsafe kernel(first.base, second.base, out.base, row.width)
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact, "\(row)")

      let (firstInPlace, secondInPlace) = (row.row(first.samples), row.row(second.samples))
      unsafe kernel(firstInPlace.base, second.base, firstInPlace.base, row.width)
      unsafe kernel(first.base, secondInPlace.base, secondInPlace.base, row.width)
      #expect(firstInPlace.samples == expected && firstInPlace.isBorderIntact, "\(row)")
      #expect(secondInPlace.samples == expected && secondInPlace.isBorderIntact, "\(row)")
    }
  }
}
