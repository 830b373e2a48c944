import TestSupport
import Testing

@Suite(.everyInstructionSet) struct BlendRowTests {
  @Test func blendsEachSampleByItsAlpha() {
    for row in RowCase.all {
      let frame = row.bytes(row.width, salt: 1)
      let background = row.bytes(row.width, salt: 2)
      let alpha = row.bytes(row.width, salt: 3)
      let expected = zip(zip(frame.samples, background.samples), alpha.samples).map {
        blended($0.0, $0.1, $1)
      }
      unsafe kernels.blendRow(
        frame.base, background.base, alpha.base, alpha.base, 0, row.width)
      #expect(frame.samples == expected, "\(row)")
      #expect(frame.isBorderIntact && background.isBorderIntact && alpha.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [0, 1, 2, 63, 64, 127, 128, 129, 200, 254, 255] as [UInt8])
  func isExactForEveryPairOfBytes(alpha: UInt8) {
    let all = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    let alphas = SampleRow(Array(repeating: alpha, count: 256), at: .pageEnd)
    for byte in 0...255 as ClosedRange<UInt8> {
      let frame = SampleRow(Array(repeating: byte, count: 256), at: .pageEnd)
      unsafe kernels.blendRow(frame.base, all.base, alphas.base, alphas.base, 0, 256)
      #expect(frame.samples == (0...255).map { blended(byte, $0, alpha) })
    }
  }

  @Test(arguments: [0, 1, 37, 128, 255, 256])
  func mixesTheAlphaOfTwoRows(weight: Int) {
    for row in RowCase.all {
      let frame = row.bytes(row.width, salt: 1)
      let background = row.bytes(row.width, salt: 2)
      let (top, bottom) = (row.bytes(row.width, salt: 3), row.bytes(row.width, salt: 4))
      let expected = (0..<row.width).map { i in
        let alpha =
          (Int(top[i]) * (256 - weight) + Int(bottom[i]) * weight + 128) / 256
        return blended(frame[i], background[i], UInt8(alpha))
      }
      unsafe kernels.blendRow(
        frame.base, background.base, top.base, bottom.base, weight, row.width)
      #expect(frame.samples == expected, "\(row)")
      #expect(frame.isBorderIntact && top.isBorderIntact && bottom.isBorderIntact, "\(row)")
    }
  }

  private func blended(_ frame: UInt8, _ background: UInt8, _ alpha: UInt8) -> UInt8 {
    let sum = Int(frame) * Int(alpha) + Int(background) * (255 - Int(alpha))
    return UInt8((2 * sum + 255) / 510)
  }
}
