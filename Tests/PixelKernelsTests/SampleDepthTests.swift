import TestSupport
import Testing

@Suite(.everyInstructionSet) struct SampleDepthTests {
  @Test func roundsWordsToBytes() {
    for row in RowCase.all {
      let words = row.bytes(2 * row.width, salt: 1)
      let out = row.row(repeating: UInt8(9), row.width)
      unsafe kernels.narrowRow(words.base, out.base, row.width)
      let samples = words.samples
      let expected = (0..<row.width).map { i in
        let word = Int(samples[2 * i]) + 256 * Int(samples[2 * i + 1])
        return UInt8(min((Double(word) / 256).rounded(.toNearestOrAwayFromZero), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && words.isBorderIntact, "\(row)")
    }
  }

  @Test func roundsAllSamplesOfTenBits() {
    var (bytes, expected): ([UInt8], [UInt8]) = ([], [])
    for value in 0..<1024 {
      bytes += [UInt8(value << 6 & 255), UInt8(value >> 2)]
      expected.append(UInt8(min((value + 2) / 4, 255)))
    }
    let words = SampleRow(bytes, at: .pageEnd)
    let out = SampleRow(Array(repeating: UInt8(9), count: 1024), at: .pageEnd)
    unsafe kernels.narrowRow(words.base, out.base, 1024)
    #expect(out.samples == expected)
  }

  @Test func putsBytesIntoTheUpperBits() {
    for row in RowCase.all {
      let bytes = row.bytes(row.width, salt: 1)
      let out = row.row(repeating: UInt8(9), 2 * row.width)
      unsafe kernels.widenRow(bytes.base, out.base, row.width)
      #expect(out.samples == bytes.samples.flatMap { [0, $0] }, "\(row)")
      #expect(out.isBorderIntact && bytes.isBorderIntact, "\(row)")
    }
  }
}
