import TestSupport
import Testing

@Suite(.everyInstructionSet) struct ExpandRowTests {
  @Test func interpolatesBetweenNeighbours() {
    for row in RowCase.all {
      let source = row.bytes(row.width / 3 + 2, salt: 1)
      let (positions, weights) = axis(row, sourceCount: source.count)
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.expandRow(source.base, positions.base, weights.base, out.base, row.width)
      let (samples, places, parts) = (source.samples, positions.samples, weights.samples)
      let expected = (0..<row.width).map { i in
        let at = Int(places[i])
        return mean(samples[at], samples[at + 1], parts[i])
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && source.isBorderIntact, "\(row)")
    }
  }

  @Test func interpolatesBetweenNeighbouringPairs() {
    for row in RowCase.all {
      let source = row.bytes((row.width / 3 + 2) * 2, salt: 1)
      let (positions, weights) = axis(row, sourceCount: source.count / 2)
      let out = row.row(repeating: 7 as UInt8, 2 * row.width)
      unsafe kernels.expandPairs(source.base, positions.base, weights.base, out.base, row.width)
      let (samples, places, parts) = (source.samples, positions.samples, weights.samples)
      let expected = (0..<2 * row.width).map { i in
        let at = 2 * Int(places[i / 2]) + i % 2
        return mean(samples[at], samples[at + 2], parts[i / 2])
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && source.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [0, 1, 2, 127, 128, 129, 254, 255] as [UInt8])
  func isExactForEveryPairOfBytes(weight: UInt8) {
    let weights = SampleRow(Array(repeating: weight, count: 256), at: .pageEnd)
    let positions = SampleRow((0..<256).map { UInt16(2 * $0) }, at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: 256), at: .pageEnd)
    for s in 0...255 as ClosedRange<UInt8> {
      let source = SampleRow((0...255).flatMap { [s, $0] }, at: .pageEnd)
      unsafe kernels.expandRow(source.base, positions.base, weights.base, out.base, 256)
      #expect(out.samples == (0...255).map { mean(s, $0, weight) })
    }
  }

  @Test func reachesTheGreatestPosition() {
    let source = SampleRow<UInt8>(Array(repeating: 0, count: 65535) + [40, 80], at: .pageEnd)
    let positions = SampleRow<UInt16>([65535], at: .pageEnd)
    let weights = SampleRow<UInt8>([64], at: .pageEnd)
    let out = SampleRow<UInt8>([7], at: .pageEnd)
    unsafe kernels.expandRow(source.base, positions.base, weights.base, out.base, 1)
    #expect(out.samples == [50])
  }

  /// Returns random positions in a source row, the last of them at its end.
  private func axis(
    _ row: RowCase, sourceCount: Int
  ) -> (positions: SampleRow<UInt16>, weights: SampleRow<UInt8>) {
    var generator = SeededGenerator(seed: 5)
    let greatest = UInt16(sourceCount - 2)
    let places = (0..<row.width).map { i in
      i == row.width - 1 ? greatest : UInt16.random(in: 0...greatest, using: &generator)
    }
    return (row.row(places), row.bytes(row.width, salt: 2))
  }

  private func mean(_ s: UInt8, _ t: UInt8, _ weight: UInt8) -> UInt8 {
    let part = Double(weight) / 256
    return rounded(Double(s) * (1 - part) + Double(t) * part)
  }
}
