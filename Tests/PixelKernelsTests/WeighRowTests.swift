import TestSupport
import Testing

@Suite(.everyInstructionSet) struct WeighRowTests {
  @Test func theRoomsWeightFallsWithAlphaToItsMinimum() {
    for row in RowCase.all {
      let alpha = row.bytes(row.width, salt: 1)
      let out = row.row(repeating: Float(-7), row.width)
      unsafe kernels.roomWeights(alpha.base, 1 / 64, 0.125, out.base, row.width)
      // The results are exact, because all values are multiples of 1/64.
      let expected = alpha.samples.map { max(1 - Float($0) / 64, 0.125) }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && alpha.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: 1...2)
  func weighsEachSample(repeats: Int) {
    for row in RowCase.all {
      let bytes = row.bytes(row.width, salt: 1)
      let weights = row.floats((row.width + repeats - 1) / repeats, salt: 2)
      let out = row.row(repeating: Float(-7), row.width)
      unsafe kernels.weighRow(bytes.base, weights.base, repeats, out.base, row.width)
      let factors = weights.samples
      let expected = bytes.samples.enumerated().map { i, byte in
        factors[i / repeats] * Float(byte)
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && weights.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: 1...2)
  func unweighingDividesAndRounds(repeats: Int) {
    for row in RowCase.all {
      let sums = row.floats(row.width, salt: 1, in: -20...200)
      let weights = row.floats((row.width + repeats - 1) / repeats, salt: 2, in: 0.25...1)
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.unweighRow(sums.base, weights.base, repeats, out.base, row.width)
      let divisors = weights.samples
      let expected = sums.samples.enumerated().map { i, sum in
        let quotient = sum / divisors[i / repeats]
        return UInt8(min(max(quotient.rounded(.toNearestOrEven), 0), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && sums.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [1, 0.5, 0.001, 1e-6] as [Float])
  func unweighingRestoresEveryByte(weight: Float) {
    let bytes = SampleRow<UInt8>(Array(0...255), at: .pageEnd)
    let weights = SampleRow(Array(repeating: weight, count: 256), at: .pageEnd)
    let weighed = SampleRow<Float>(Array(repeating: 7, count: 256), at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: 256), at: .pageEnd)
    unsafe kernels.weighRow(bytes.base, weights.base, 1, weighed.base, 256)
    unsafe kernels.unweighRow(weighed.base, weights.base, 1, out.base, 256)
    #expect(out.samples == bytes.samples)
  }

  @Test func halvesGoToTheEvenByte() {
    let sums = SampleRow<Float>([0.5, 1.5, 2.5, 253.5, 254.5, 255.5, -0.5], at: .pageEnd)
    let weights = SampleRow<Float>(Array(repeating: 1, count: 7), at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: 7), at: .pageEnd)
    unsafe kernels.unweighRow(sums.base, weights.base, 1, out.base, 7)
    #expect(out.samples == [0, 2, 2, 254, 254, 255, 0])
  }

  /// Tests quotients that are exactly halves.
  ///
  /// Multiplying by the reciprocal rounds some of them incorrectly.
  @Test(arguments: 1...64)
  func quotientsEqualADivision(numerator: Int) {
    let weight = Float(numerator) / 64
    let sums = SampleRow((0..<255).map { (Float($0) + 0.5) * weight }, at: .pageEnd)
    let weights = SampleRow(Array(repeating: weight, count: 255), at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: 255), at: .pageEnd)
    unsafe kernels.unweighRow(sums.base, weights.base, 1, out.base, 255)
    let evens = (0..<255).map { UInt8(($0 + 1) / 2 * 2) }
    #expect(out.samples == evens)
  }

  @Test(arguments: 1...2)
  func aWeightOfZeroDoesNotTrap(repeats: Int) {
    // Sums and weights come in equal pairs, so the result is the same for both values of `repeats`.
    let values: [(sum: Float, weight: Float, byte: UInt8)] = [
      (0, 0, 0), (0, 0, 0), (3, 0, 255), (3, 0, 255), (-3, 0, 0), (-3, 0, 0), (.nan, 1, 0),
      (.nan, 1, 0), (1, .nan, 0), (1, .nan, 0), (.infinity, 1, 255), (.infinity, 1, 255),
    ]
    let many = Array(repeating: values, count: 9).flatMap(\.self)
    let weights = stride(from: 0, to: many.count, by: repeats).map { many[$0].weight }
    let sumRow = SampleRow(many.map(\.sum), at: .pageEnd)
    let weightRow = SampleRow(weights, at: .pageEnd)
    let out = SampleRow<UInt8>(Array(repeating: 7, count: many.count), at: .pageEnd)
    unsafe kernels.unweighRow(sumRow.base, weightRow.base, repeats, out.base, many.count)
    #expect(out.samples == many.map(\.byte))
  }
}
