import Glibc
import PixelTypes
import TestSupport
import Testing

@Suite(.everyInstructionSet) struct LensTests {
  private static let colorimetry = Colorimetry(matrix: .bt709, range: .limited)

  private func light(_ value: Float) -> Float {
    let x = min(max(value, 0), 1)
    let t = x * (0.045 + 0.955 * x)
    return t * (0.7475 + 0.2525 * t)
  }

  private func root(_ value: Float) -> Float {
    var inverse = Float(bitPattern: 0x5f37_5a86 - value.bitPattern / 2)
    for _ in 0..<2 { inverse = inverse * (1.5 - 0.5 * value * inverse * inverse) }
    return value * inverse
  }

  @Test("converts code values to linear light", arguments: 0...2)
  func lightRow(channel: Int) {
    let f = ColorFactors.colors(Self.colorimetry)[channel]
    for row in RowCase.all {
      let planes = (0..<3).map { row.bytes(row.width, salt: UInt64($0)) }
      let out = row.row(repeating: Float(-7), row.width)
      unsafe kernels.lightRow(
        planes[0].base, planes[1].base, planes[2].base, f, out.base, row.width)
      let expected = (0..<row.width).map { i in
        light(
          f.offset + f.first * Float(planes[0][i]) + f.second * Float(planes[1][i]) + f.third
            * Float(planes[2][i]))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && planes[0].isBorderIntact, "\(row)")
    }
  }

  @Test("is within 2.3 code values of sRGB, and restores every code value")
  func transferFunction() {
    for code in 0...255 {
      let x = Float(code) / 255
      let srgb = x <= 0.04045 ? x / 12.92 : Float(pow(Double((x + 0.055) / 1.055), 2.4))
      let sums = SampleRow([srgb, light(x)], at: .pageEnd)
      let weights = SampleRow<Float>([1, 1], at: .pageEnd)
      let out = SampleRow<Float>([7, 7], at: .pageEnd)
      unsafe kernels.encodeLight(sums.base, weights.base, out.base, 2)
      #expect(abs(255 * out[0] - Float(code)) < 2.3)
      #expect(abs(out[1] - x) < 1e-4)
    }
  }

  @Test("divides by the weights and encodes")
  func encodeLight() {
    for row in RowCase.all {
      let sums = row.floats(row.width, salt: 1, in: -0.5...1.5)
      let weights = row.floats(row.width, salt: 2, in: 0...1)
      let out = row.row(repeating: Float(-7), row.width)
      unsafe kernels.encodeLight(sums.base, weights.base, out.base, row.width)
      let expected = zip(sums.samples, weights.samples).map { sum, weight -> Float in
        let quotient = sum / weight
        let value = quotient > 0 ? min(quotient, 1) : 0
        let t = max(root(value * (1 / 0.2525) + 2.190_986_2) - 1.480_198, 0)
        return root(t * (1 / 0.955) + 0.000_555_083_5) - 0.023_560_21
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && sums.isBorderIntact && weights.isBorderIntact, "\(row)")
    }
  }

  @Test("converts colours to code values", arguments: 0...2)
  func codeRow(component: Int) {
    let f = ColorFactors.codes(Self.colorimetry)[component]
    for row in RowCase.all {
      let colors = (0..<3).map { row.floats(row.width, salt: UInt64($0), in: -0.1...1.1) }
      let out = row.row(repeating: 7 as UInt8, row.width)
      unsafe kernels.codeRow(colors[0].base, colors[1].base, colors[2].base, f, out.base, row.width)
      let expected = (0..<row.width).map { i in
        let code =
          f.offset + f.first * colors[0][i] + f.second * colors[1][i] + f.third * colors[2][i]
        return UInt8(min(max(code.rounded(.toNearestOrEven), 0), 255))
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && colors[0].isBorderIntact, "\(row)")
    }
  }

  @Test("multiplies by the weights")
  func scaleRow() {
    for row in RowCase.all {
      let samples = row.floats(row.width, salt: 1)
      let weights = row.floats(row.width, salt: 2)
      let expected = zip(samples.samples, weights.samples).map { $0 * $1 }
      unsafe kernels.scaleRow(samples.base, weights.base, row.width)
      #expect(samples.samples == expected, "\(row)")
      #expect(samples.isBorderIntact && weights.isBorderIntact, "\(row)")
    }
  }

  /// The lengths of the columns, from the middle one on.
  static let discs: [[Int32]] = [[0], [1, 0], [3, 3, 2, 0], [6, 6, 6, 5, 4, 2], [2, 2, 2]]

  @Test("sums discs in the specified order", arguments: discs)
  func sumDisc(lengths: [Int32]) {
    for row in RowCase.some {
      let reach = lengths.count - 1
      let stride = row.width + 2 * reach + 1
      let margin = (Int(lengths[0]) + 1) * stride + reach
      let samples = row.floats(row.width + 2 * margin, salt: 1)
      let lengthRow = row.row(lengths)
      let tips = row.floats(lengths.count, salt: 2)
      let shares = row.floats(lengths.count, salt: 3)
      let column = row.row(repeating: Float(-7), row.width + 2 * reach)
      let out = row.row(repeating: Float(-7), row.width)
      unsafe kernels.sumDisc(
        samples.base + margin, stride, lengthRow.base, tips.base, shares.base, reach, column.base,
        out.base, row.width)
      let (values, ends, parts) = (samples.samples, tips.samples, shares.samples)
      func pair(_ at: Int, _ t: Int) -> Float { values[at - t * stride] + values[at + t * stride] }
      func sum(_ at: Int, _ length: Int) -> Float {
        (0..<length).reduce(values[at]) { $0 + pair(at, $1 + 1) }
      }
      let expected = (margin..<margin + row.width).map { i in
        var total: Float = 0
        for d in (0...reach).reversed() {
          let n = Int(lengths[d])
          let tip = pair(i - d, n + 1) + pair(i + d, n + 1)
          total += parts[d] * ((sum(i - d, n) + sum(i + d, n)) + ends[d] * tip)
        }
        return total
      }
      #expect(out.samples == expected, "\(row)")
      #expect(out.isBorderIntact && column.isBorderIntact && samples.isBorderIntact, "\(row)")
    }
  }
}
