import TestSupport
import Testing

@Suite(.everyInstructionSet) struct AddLightTests {
  @Test(arguments: [0, 1, 100, 128, 255, 256])
  func addsTheInterpolatedLight(weight: Int) {
    for row in RowCase.all {
      let frame = row.bytes(row.width, salt: 1)
      let (top, bottom) = (row.bytes(row.width, salt: 2), row.bytes(row.width, salt: 3))
      let expected = (0..<row.width).map { i in
        let light =
          (Int(top[i]) * (256 - weight) + Int(bottom[i]) * weight + 128) / 256
        return UInt8(min(max(Int(frame[i]) + light - 128, 16), 235))
      }
      unsafe kernels.addLight(frame.base, top.base, bottom.base, weight, 16, 235, row.width)
      #expect(frame.samples == expected, "\(row)")
      #expect(frame.isBorderIntact && top.isBorderIntact && bottom.isBorderIntact, "\(row)")
    }
  }

  @Test func isExactForEveryPairOfBytes() {
    for byte in 0...255 as ClosedRange<UInt8> {
      let frame = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
      let light = SampleRow(Array(repeating: byte, count: 256), at: .pageEnd)
      unsafe kernels.addLight(frame.base, light.base, light.base, 0, 0, 255, 256)
      #expect(frame.samples == (0...255).map { UInt8(min(max($0 + Int(byte) - 128, 0), 255)) })
    }
  }
}
