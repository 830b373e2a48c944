import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct SimilarPixelsTests {
  @Test(arguments: [1.0 / 900, 1.0 / 200_000, 0] as [Float])
  func addsNeighboursByTheirLikeness(reach: Float) {
    for row in RowCase.all {
      let count = row.width
      let rows = (0..<6).map { row.bytes(count, salt: UInt64($0 + 1)) }
      let alpha = row.bytes(count, salt: 9)
      let sums = row.floats(count, salt: 10, in: 0...255)
      let weights = row.floats(count, salt: 11)
      let (oldSums, oldWeights) = (sums.samples, weights.samples)
      unsafe kernels.addSimilar(
        sums.base, weights.base, alpha.base,
        ColorRows(luma: rows[0].base, cb: rows[1].base, cr: rows[2].base),
        ColorRows(luma: rows[3].base, cb: rows[4].base, cr: rows[5].base), 0.5, reach, count)
      let shares = (0..<count).map { i in
        func distance(_ a: Int, _ b: Int) -> Double {
          let difference = Double(rows[a].samples[i]) - Double(rows[b].samples[i])
          return difference * difference
        }
        let d = distance(0, 3) + 3 * (distance(1, 4) + distance(2, 5))
        let near = max(0, 1 - Double(reach) * d)
        return 0.5 * near * near
      }
      #expect(
        isClose(
          weights.samples, to: (0..<count).map { Double(oldWeights[$0]) + shares[$0] },
          within: 1e-5), "\(row)")
      #expect(
        isClose(
          sums.samples,
          to: (0..<count).map { Double(oldSums[$0]) + shares[$0] * Double(alpha.samples[$0]) },
          within: 1e-3), "\(row)")
      #expect(
        (rows + [alpha]).allSatisfy(\.isBorderIntact) && sums.isBorderIntact
          && weights.isBorderIntact, "\(row)")
    }
  }

  @Test(arguments: [1, 1.5] as [Float]) func takesTheMeanWithMoreContrast(contrast: Float) {
    for row in RowCase.all {
      let sums = row.floats(row.width, salt: 1, in: 0...500)
      let weights = row.floats(row.width, salt: 2, in: 1...3)
      let out = row.row(repeating: UInt8(7), row.width)
      unsafe kernels.meanOfSimilar(sums.base, weights.base, contrast, out.base, row.width)
      let exact = zip(sums.samples, weights.samples).map { sum, weight in
        min(max((Double(sum) / Double(weight) - 127.5) * Double(contrast) + 127.5, 0), 255)
      }
      #expect(
        zip(out.samples, exact).allSatisfy { abs(Double($0) - $1) <= 0.501 }, "\(row)")
      #expect(out.isBorderIntact, "\(row)")
    }
  }

  @Test func noWeightIsNoAlpha() {
    let zero = SampleRow<Float>([0, 0, 0], at: .pageEnd)
    let out = SampleRow<UInt8>([9, 9, 9], at: .pageEnd)
    unsafe kernels.meanOfSimilar(zero.base, zero.base, 1, out.base, 3)
    #expect(out.samples == [0, 0, 0])
  }

  @Test(arguments: [1, 1.3, 4] as [Float]) func contrastTurnsAroundTheMiddle(contrast: Float) {
    for row in RowCase.all {
      let bytes = row.bytes(row.width, salt: 1)
      let old = bytes.samples
      unsafe kernels.contrastRow(bytes.base, contrast, row.width)
      let exact = old.map { min(max((Double($0) - 127.5) * Double(contrast) + 127.5, 0), 255) }
      #expect(
        zip(bytes.samples, exact).allSatisfy { abs(Double($0) - $1) <= 0.501 }, "\(row)")
      #expect(bytes.isBorderIntact, "\(row)")
    }
  }
}
