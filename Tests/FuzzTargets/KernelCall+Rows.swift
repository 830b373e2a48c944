import PixelTypes

// Makes calls of the row kernels from a fuzzer's input. The arguments respect the limits in the
// kernels' comments.

extension KernelCall {
  /// A kernel by its name.
  struct Kernel: Sendable {
    let name: String
    let make: @Sendable (inout FuzzInput) -> KernelCall
  }

  /// All kernels.
  static let all: [Kernel] =
    shrinking + tensor + matte + composition + blur + layouts + lens + lowLight

  /// A number of samples, usually near the width of a vector.
  static func count(_ input: inout FuzzInput) -> Int {
    input.flag() ? input.integer(in: 0...70) : input.integer(in: 0...700)
  }

  private static let shrinking: [Kernel] = [
    Kernel(name: "sumTwoRows") { input in
      let count = count(&input)
      return KernelCall(rows(of: count, 2, &input) + [empty(count, as: UInt16.self)]) {
        unsafe $0.sumTwoRows($1[2].words, $1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel(name: "sumFourRows") { input in
      let count = count(&input)
      return KernelCall(rows(of: count, 4, &input) + [empty(count, as: UInt16.self)]) {
        unsafe $0.sumFourRows(
          $1[4].words, $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, count)
      }
    },
    Kernel(name: "addFourRows") { input in
      let count = count(&input)
      return KernelCall(rows(of: count, 4, &input) + [KernelRow(input.fill(2 * count))]) {
        unsafe $0.addFourRows(
          $1[4].words, $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, count)
      }
    },
    Kernel(name: "averageColumns") { input in averageColumns(&input, samples: 1) },
    Kernel(name: "averageColumnPairs") { input in averageColumns(&input, samples: 2) },
  ]

  private static func averageColumns(_ input: inout FuzzInput, samples: Int) -> KernelCall {
    let (columns, shift) = (max(count(&input), 1), input.integer(in: 1...4))
    let size = 1 << shift
    // Sums of all rows of a block.
    let sums = input.fill(samples * columns).map { UInt16($0) << UInt16(shift) }
    let out = KernelRow([UInt8](repeating: 0, count: samples * ((columns + size - 1) / size)))
    return KernelCall([KernelRow(sums), out]) {
      if samples == 1 {
        unsafe $0.averageColumns($1[0].words, columns, shift, $1[1].bytes)
      } else {
        unsafe $0.averageColumnPairs($1[0].words, columns, shift, $1[1].bytes)
      }
    }
  }

  private static let tensor: [Kernel] = [
    Kernel(name: "sumWeightedRows") { input in
      let (count, taps) = (count(&input), input.integer(in: 1...11))
      let stride = count + input.integer(in: 0...5)
      let memory = KernelRow(input.fill((taps - 1) * stride + count))
      return KernelCall(
        [memory, KernelRow(input.floats(taps)), empty(count, as: Float.self)]
      ) {
        unsafe $0.sumWeightedRows($1[0].bytes, stride, $1[1].floats, taps, $1[2].floats, count)
      }
    },
    Kernel(name: "accumulate") { input in
      let (count, weight) = (count(&input), input.float())
      return KernelCall([KernelRow(input.floats(count)), KernelRow(input.floats(count))]) {
        unsafe $0.accumulate($1[0].floats, $1[1].floats, weight, count)
      }
    },
    Kernel(name: "filterColumns") { input in
      let (count, taps) = (count(&input), input.integer(in: 1...13))
      let (starts, width) = starts(count, &input)
      return KernelCall([
        KernelRow(input.floats(width + taps)), starts, KernelRow(input.floats(count * taps)),
        empty(count, as: Float.self),
      ]) {
        unsafe $0.filterColumns(
          $1[0].floats, $1[1].int32s, $1[2].floats, taps, $1[3].floats, count)
      }
    },
    Kernel(name: "filterColumnPairs") { input in
      let (count, taps) = (count(&input), input.choice([2, 2, 1, 3, 4, 7]))
      let (starts, width) = starts(count, &input)
      return KernelCall([
        KernelRow(input.floats(2 * (width + taps))), starts,
        KernelRow(input.floats(count * taps)), empty(count, as: Float.self),
        empty(count, as: Float.self),
      ]) {
        unsafe $0.filterColumnPairs(
          $1[0].floats, $1[1].int32s, $1[2].floats, taps, $1[3].floats, $1[4].floats, count)
      }
    },
    Kernel(name: "convertToRGB") { input in
      let count = count(&input)
      let order = input.choice([[0, 1, 2], [2, 1, 0], [1, 0, 2]])
      let isPlanar = input.flag()
      let coefficients = RGBCoefficients(
        colorimetry(&input), red: range(&input), green: range(&input), blue: range(&input))
      let sources = (0..<3).map { _ in KernelRow(input.floats(count)) }
      let outs =
        isPlanar
        ? (0..<3).map { _ in empty(count, as: Float.self) } : [empty(3 * count, as: Float.self)]
      return KernelCall(sources + outs) { kernels, rows in
        let out = unsafe order.map {
          unsafe isPlanar ? rows[3 + $0].floats : rows[3].floats + $0
        }
        unsafe kernels.convertToRGB(
          rows[0].floats, rows[1].floats, rows[2].floats, coefficients, out[0], out[1], out[2],
          isPlanar ? 1 : 3, count)
      }
    },
  ]

  // MARK: - Rows

  /// Rows of bytes.
  static func rows(of count: Int, _ number: Int, _ input: inout FuzzInput) -> [KernelRow] {
    (0..<number).map { _ in KernelRow(input.fill(count)) }
  }

  /// A row for results.
  static func empty<Sample: BitwiseCopyable>(
    _ count: Int, as type: Sample.Type
  ) -> KernelRow where Sample: ExpressibleByIntegerLiteral {
    KernelRow(Array(repeating: 7 as Sample, count: count))
  }

  /// Returns a row with the index of each output's first tap, and `width`, the maximum index.
  private static func starts(
    _ count: Int, _ input: inout FuzzInput
  ) -> (KernelRow, width: Int) {
    let width = input.integer(in: 0...300)
    let pattern = (0..<8).map { _ in input.integer(in: 0...300) }
    let starts = (0..<count).map { Int32((pattern[$0 % 8] + $0) % (width + 1)) }
    return (KernelRow(starts), width)
  }

  static func colorimetry(_ input: inout FuzzInput) -> Colorimetry {
    Colorimetry(
      matrix: input.choice([.bt601, .bt709, .bt2020]), range: input.choice([.limited, .full]))
  }

  private static func range(_ input: inout FuzzInput) -> SampleRange {
    let (a, b) = (input.finiteFloat(), input.finiteFloat())
    return SampleRange(low: min(a, b), high: max(a, b))
  }
}
