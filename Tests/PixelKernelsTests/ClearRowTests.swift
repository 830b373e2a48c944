import TestSupport
import Testing

@Suite(.everyInstructionSet) struct ClearRowTests {
  @Test func clearsTransparentSamples() {
    for row in RowCase.all {
      let samples = row.bytes(row.width, salt: 1)
      let alpha = sparse(row, row.width, salt: 2)
      let expected = zip(samples.samples, alpha.samples).map { $1 == 0 ? 16 : $0 }
      unsafe kernels.clearRow(samples.base, alpha.base, 16, row.width)
      #expect(samples.samples == expected, "\(row)")
      #expect(samples.isBorderIntact && alpha.isBorderIntact, "\(row)")
    }
  }

  @Test func clearsPairsWithFourTransparentPixels() {
    for row in RowCase.all {
      let samples = row.bytes(2 * row.width, salt: 1)
      let top = sparse(row, 2 * row.width, salt: 2)
      let bottom = sparse(row, 2 * row.width, salt: 3)
      let (above, below) = (top.samples, bottom.samples)
      var expected = samples.samples
      for i in expected.indices
      where above[i & ~1] | above[i | 1] | below[i & ~1] | below[i | 1] == 0 {
        expected[i] = 128
      }
      unsafe kernels.clearPairs(samples.base, top.base, bottom.base, 128, row.width)
      #expect(samples.samples == expected, "\(row)")
      #expect(samples.isBorderIntact && top.isBorderIntact && bottom.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [(UInt8(16), Int32(76309)), (0, 65536), (255, 1 << 22), (16, 0)])
  func stretchesLuma(low: UInt8, factor: Int32) {
    for row in RowCase.all {
      let samples = row.bytes(row.width, salt: 1)
      let out = row.row(repeating: UInt8(9), row.width)
      unsafe kernels.stretchRow(samples.base, low, factor, out.base, row.width)
      let expected = samples.samples.map { sample in
        let value = (Int(factor) * (Int(sample) - Int(low)) + 32768) >> 16
        return UInt8(min(max(value, 0), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && samples.isBorderIntact, "\(row)")
    }
  }

  @Test func limitedRangeBecomesTheNearestOfTheFullOne() {
    let all = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 0, count: 256), at: .pageEnd)
    unsafe kernels.stretchRow(all.base, 16, Int32((65536.0 * 255 / 219).rounded()), out.base, 256)
    #expect(out.samples == (0...255).map { rounded(min(max(Double($0 - 16) * 255 / 219, 0), 255)) })
  }

  /// Returns alphas, most of which are 0.
  private func sparse(_ row: RowCase, _ count: Int, salt: UInt64) -> SampleRow<UInt8> {
    row.row(row.byteValues(count, salt: salt).map { $0 < 160 ? 0 : $0 })
  }
}
