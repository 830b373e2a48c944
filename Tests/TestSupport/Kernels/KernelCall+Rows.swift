import PixelTypes

extension KernelCall {
  static let shrinking: [Kernel] = [
    Kernel("sumTwoRows") { input in
      let count = input.sampleCount()
      let rows = input.rows(2, of: count)
      return KernelCall(rows, [KernelRow(result: sums(rows, count))]) {
        unsafe $0.sumTwoRows($1[2].words, $1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel("sumFourRows") { input in
      let count = input.sampleCount()
      let rows = input.rows(4, of: count)
      return KernelCall(rows, [KernelRow(result: sums(rows, count))]) {
        unsafe $0.sumFourRows(
          $1[4].words, $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, count)
      }
    },
    Kernel("addFourRows") { input in
      let count = input.sampleCount()
      let (rows, old) = (input.rows(4, of: count), input.words(count))
      let new = zip(old, sums(rows, count)).map { $0 &+ $1 }
      return KernelCall(rows, [KernelRow(old, becomes: new)]) {
        unsafe $0.addFourRows(
          $1[4].words, $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, count)
      }
    },
    Kernel("averageColumns") { input in averageColumns(&input, samples: 1) },
    Kernel("averageColumnPairs") { input in averageColumns(&input, samples: 2) },
  ]

  private static func sums(_ rows: [[UInt8]], _ count: Int) -> [UInt16] {
    (0..<count).map { i in rows.reduce(0) { $0 + UInt16($1[i]) } }
  }

  private static func averageColumns(_ input: inout FuzzInput, samples: Int) -> KernelCall {
    let (columns, shift) = (max(input.sampleCount(), 1), input.integer(in: 1...4))
    let size = 1 << shift
    // Sums of all rows of a block.
    let sums = input.words(samples * columns).map { $0 % UInt16(255 * size + 1) }
    let means = (0..<samples * ((columns + size - 1) / size)).map { i in
      let total = (0..<size).reduce(0) { total, x in
        let column = min(i / samples * size + x, columns - 1)
        return total + Int(sums[samples * column + i % samples])
      }
      return UInt8((2 * total + size * size) / (2 * size * size))
    }
    return KernelCall([KernelRow(sums), KernelRow(result: means)]) {
      if samples == 1 {
        unsafe $0.averageColumns($1[0].words, columns, shift, $1[1].bytes)
      } else {
        unsafe $0.averageColumnPairs($1[0].words, columns, shift, $1[1].bytes)
      }
    }
  }

  static let tensor: [Kernel] = [
    Kernel("sumWeightedRows") { input in
      let (count, taps) = (input.sampleCount(), input.integer(in: 1...11))
      let stride = count + input.integer(in: 0...5)
      let memory = input.fill((taps - 1) * stride + count)
      let weights = input.floats(taps)
      let sums = (0..<count).map { i in
        (1..<taps).reduce(weights[0] * Float(memory[i])) { sum, t in
          sum + weights[t] * Float(memory[t * stride + i])
        }
      }
      return KernelCall([memory], [KernelRow(weights), KernelRow(result: sums)]) {
        unsafe $0.sumWeightedRows($1[0].bytes, stride, $1[1].floats, taps, $1[2].floats, count)
      }
    },
    Kernel("accumulate") { input in
      let (count, weight) = (input.sampleCount(), input.float())
      let (old, row) = (input.floats(count), input.floats(count))
      let new = zip(old, row).map { $0 + weight * $1 }
      return KernelCall([KernelRow(old, becomes: new), KernelRow(row)]) {
        unsafe $0.accumulate($1[0].floats, $1[1].floats, weight, count)
      }
    },
    Kernel("filterColumns") { input in
      let (count, taps) = (input.sampleCount(), input.integer(in: 1...13))
      let (starts, width) = starts(count, &input)
      let (row, weights) = (input.floats(width + taps), input.floats(count * taps))
      let sums = filtered(row, 0, 1, starts, weights, taps)
      return KernelCall([
        KernelRow(row), KernelRow(starts), KernelRow(weights), KernelRow(result: sums),
      ]) {
        unsafe $0.filterColumns($1[0].floats, $1[1].int32s, $1[2].floats, taps, $1[3].floats, count)
      }
    },
    Kernel("filterColumnPairs") { input in
      let (count, taps) = (input.sampleCount(), input.choice([2, 2, 1, 3, 4, 7]))
      let (starts, width) = starts(count, &input)
      let (row, weights) = (input.floats(2 * (width + taps)), input.floats(count * taps))
      let results = (0...1).map {
        KernelRow(result: filtered(row, $0, 2, starts, weights, taps))
      }
      return KernelCall([KernelRow(row), KernelRow(starts), KernelRow(weights)] + results) {
        unsafe $0.filterColumnPairs(
          $1[0].floats, $1[1].int32s, $1[2].floats, taps, $1[3].floats, $1[4].floats, count)
      }
    },
    Kernel("convertToRGB") { input in
      let count = input.sampleCount()
      let order = input.choice([[0, 1, 2], [2, 1, 0], [1, 0, 2]])
      let isPlanar = input.flag()
      let c = RGBCoefficients(
        colorimetry(&input), red: range(&input), green: range(&input), blue: range(&input))
      let (luma, cb, cr) = (input.floats(count), input.floats(count), input.floats(count))
      let step = isPlanar ? 1 : input.choice([3, 4])
      let places = order.map { isPlanar ? $0 * count : $0 }
      let old = [Float](repeating: -77, count: max(step, 3) * count)
      var new = old
      for i in 0..<count {
        let (y, b, r) = (luma[i], cb[i] - 128, cr[i] - 128)
        let red = c.red.luma * y + c.red.offset + c.redFromCr * r
        let green = c.green.luma * y + c.green.offset + c.greenFromCb * b + c.greenFromCr * r
        let blue = c.blue.luma * y + c.blue.offset + c.blueFromCb * b
        for (place, (value, channel)) in zip(
          places, [(red, c.red), (green, c.green), (blue, c.blue)])
        {
          new[place + i * step] = Exact.clamped(value, channel.low, channel.high)
        }
      }
      return KernelCall([
        KernelRow(luma), KernelRow(cb), KernelRow(cr), KernelRow(old, becomes: new),
      ]) { kernels, rows in
        let out = unsafe rows[3].floats
        unsafe kernels.convertToRGB(
          rows[0].floats, rows[1].floats, rows[2].floats, c, out + places[0], out + places[1],
          out + places[2], step, count)
      }
    },
  ]

  private static func filtered(
    _ row: [Float], _ first: Int, _ step: Int, _ starts: [Int32], _ weights: [Float], _ taps: Int
  ) -> [Float] {
    starts.enumerated().map { i, start in
      (0..<taps).reduce(0) { sum, t in
        sum + weights[i * taps + t] * row[(Int(start) + t) * step + first]
      }
    }
  }

  /// Returns the index of each output's first tap, and `width`, the maximum index.
  private static func starts(_ count: Int, _ input: inout FuzzInput) -> ([Int32], width: Int) {
    let width = input.integer(in: 0...300)
    let pattern = (0..<8).map { _ in input.integer(in: 0...300) }
    return ((0..<count).map { Int32((pattern[$0 % 8] + $0) % (width + 1)) }, width)
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
