import TestSupport
import Testing

@Suite(.everyInstructionSet) struct EnlargeRowTests {
  @Test(arguments: 1...8)
  func interpolatesBetweenNeighbours(shift: Int) {
    for row in RowCase.all { check(row, shift: shift, count: row.width) }
  }

  /// Tests widths that end after a whole sample, within one, or at its start.
  @Test(arguments: 1...8)
  func endsAnywhereInASample(shift: Int) {
    let size = 1 << shift
    for row in RowCase.some.filter({ $0.width == 7 }) {
      for count in [
        1, size / 2, size - 1, size, size + 1, 3 * size / 2, 3 * size / 2 + 1, 5 * size,
      ] {
        check(row, shift: shift, count: count)
      }
    }
  }

  @Test(arguments: 1...8)
  func interpolatesBetweenNeighbouringPairs(shift: Int) {
    for row in RowCase.all { checkPairs(row, shift: shift, count: row.width) }
  }

  @Test(arguments: [1, 3])
  func isExactForEveryPairOfBytes(shift: Int) {
    let size = 1 << shift
    for s in 0...255 as ClosedRange<UInt8> {
      let source = SampleRow((0...255).flatMap { [s, $0] }, at: .pageEnd)
      let out = SampleRow<UInt8>(Array(repeating: 7, count: 512 * size), at: .pageEnd)
      unsafe kernels.enlargeRow(source.base, shift, out.base, out.count)
      #expect(out.samples == enlarged(source.samples, 1, shift, out.count))
    }
  }

  private func check(_ row: RowCase, shift: Int, count: Int) {
    let source = row.bytes((count + (1 << shift) - 1) >> shift, salt: 1)
    let out = row.row(repeating: 7 as UInt8, count)
    unsafe kernels.enlargeRow(source.base, shift, out.base, count)
    #expect(out.samples == enlarged(source.samples, 1, shift, count), "\(row), by \(1 << shift)")
    #expect(out.isBorderIntact && source.isBorderIntact, "\(row)")
  }

  private func checkPairs(_ row: RowCase, shift: Int, count: Int) {
    let source = row.bytes(2 * ((count + (1 << shift) - 1) >> shift), salt: 1)
    let out = row.row(repeating: 7 as UInt8, 2 * count)
    unsafe kernels.enlargePairs(source.base, shift, out.base, count)
    #expect(out.samples == enlarged(source.samples, 2, shift, count), "\(row), by \(1 << shift)")
    #expect(out.isBorderIntact && source.isBorderIntact, "\(row)")
  }

  /// Returns the specified output.
  ///
  /// Output i is at position `(i + 1/2) / k - 1/2`. The weight is truncated to 8 bits, which is
  /// exact up to k = 128.
  private func enlarged(_ row: [UInt8], _ step: Int, _ shift: Int, _ count: Int) -> [UInt8] {
    let size = Double(1 << shift)
    return (0..<count * step).map { i in
      let place = (Double(i / step) + 0.5) / size - 0.5
      let before = place.rounded(.down)
      let part = ((place - before) * 256).rounded(.down) / 256
      func sample(_ number: Double) -> Double {
        let at = min(max(Int(number), 0), row.count / step - 1)
        return Double(row[at * step + i % step])
      }
      return rounded(sample(before) * (1 - part) + sample(before + 1) * part)
    }
  }
}
