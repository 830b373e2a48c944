import TestSupport
import Testing

@Suite(.everyInstructionSet) struct MixRowsTests {
  static let weights = [0, 1, 77, 128, 255, 256]

  @Test(arguments: weights)
  func interpolatesBetweenTwoRows(weight: Int) {
    for row in RowCase.all {
      let top = row.bytes(row.width, salt: 1)
      let bottom = row.bytes(row.width, salt: 2)
      let out = row.row(repeating: 7 as UInt8, row.width)
      let expected = zip(top.samples, bottom.samples).map { mean($0, $1, weight) }
      unsafe kernels.mixRows(top.base, bottom.base, weight, out.base, row.width)
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact, "\(row)")

      let (topInPlace, bottomInPlace) = (row.row(top.samples), row.row(bottom.samples))
      unsafe kernels.mixRows(
        topInPlace.base, bottom.base, weight, topInPlace.base, row.width)
      unsafe kernels.mixRows(
        top.base, bottomInPlace.base, weight, bottomInPlace.base, row.width)
      #expect(topInPlace.samples == expected && topInPlace.isBorderIntact, "\(row)")
      #expect(bottomInPlace.samples == expected && bottomInPlace.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: weights)
  func isExactForEveryPairOfBytes(weight: Int) {
    let all = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: 256), at: .pageEnd)
    for byte in 0...255 as ClosedRange<UInt8> {
      let top = SampleRow(Array(repeating: byte, count: 256), at: .pageEnd)
      unsafe kernels.mixRows(top.base, all.base, weight, out.base, 256)
      #expect(out.samples == (0...255).map { mean(byte, $0, weight) })
    }
  }

  private func mean(_ top: UInt8, _ bottom: UInt8, _ weight: Int) -> UInt8 {
    let part = Double(weight) / 256
    return rounded(Double(top) * (1 - part) + Double(bottom) * part)
  }
}
