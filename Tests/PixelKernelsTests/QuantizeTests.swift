import TestSupport
import Testing

@Suite(.everyInstructionSet) struct QuantizeTests {
  @Test func roundsToTheNearestByte() {
    for row in RowCase.all {
      let floats = row.floats(row.width, salt: 1, in: -0.2...1.2)
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.quantize(floats.base, out.base, row.width)
      let expected = floats.samples.map {
        UInt8(min(max((255 * $0).rounded(.toNearestOrEven), 0), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && floats.isBorderIntact, "\(row)")
    }
  }

  @Test func restoresEveryByte() {
    let floats = SampleRow((0...255).map { Float($0) / 255 }, at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: 256), at: .pageEnd)
    unsafe kernels.quantize(floats.base, out.base, 256)
    #expect(out.samples == Array(0...255))
  }

  @Test("clamps values out of range, and turns NaN into zero, without trapping")
  func clampsWithoutTrapping() {
    let strange: [Float] = [
      .nan, -.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 1e10, -1e10, 2,
    ]
    let bytes: [UInt8] = [0, 0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 255]
    // The values occur in the vectorised part and in the remainder.
    let floats = SampleRow(Array(repeating: strange, count: 11).flatMap(\.self), at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: floats.count), at: .pageEnd)
    unsafe kernels.quantize(floats.base, out.base, floats.count)
    #expect(out.samples == Array(repeating: bytes, count: 11).flatMap(\.self))
  }
}
