import PixelTypes

extension KernelCall {
  static let matte: [Kernel] = [
    Kernel("quantize") { input in
      let floats = input.floats(input.sampleCount())
      let bytes = floats.map { Exact.byte(255 * $0) }
      return KernelCall([KernelRow(floats), KernelRow(result: bytes)]) {
        unsafe $0.quantize($1[0].floats, $1[1].bytes, floats.count)
      }
    },
    Kernel("smooth") { input in
      let count = input.sampleCount()
      let (minShare, damping) = (input.float(), input.float())
      let (old, matte, motion) = (input.floats(count), input.fill(count), input.fill(count))
      let new = (0..<count).map { i in
        let (a, m) = (Float(matte[i]) * (1 / 255), Float(motion[i]) * (1 / 255))
        let difference = Float(matte[i]) - old[i]
        let disagreement = abs(difference) * (1 / 255)
        let share = minShare + (1 - minShare) * (disagreement > m ? disagreement : m)
        let doubt = a * (1 - a) * 4 * (1 - m)
        return old[i] + difference * (share * (1 - damping * doubt))
      }
      return KernelCall([
        KernelRow(old, becomes: new), KernelRow(matte, becomes: new.map { Exact.byte($0) }),
        KernelRow(motion),
      ]) {
        unsafe $0.smooth($1[0].floats, $1[1].bytes, $1[2].bytes, minShare, damping, count)
      }
    },
    Kernel("differRow") { input in
      let count = input.sampleCount()
      let (out, rows) = (input.outputPlace(), input.rows(2, of: count))
      let result = zip(rows[0], rows[1]).map { max($0, $1) - min($0, $1) }
      return KernelCall(places(rows, out, result)) {
        unsafe $0.differRow($1[0].bytes, $1[1].bytes, $1[out].bytes, count)
      }
    },
    Kernel("blockDistance") { input in
      let (a, b) = (input.integer(in: 8...40), input.integer(in: 8...40))
      let blocks = [input.fill(7 * a + 8), input.fill(7 * b + 8)]
      let sum = positions.reduce(0) { sum, at in
        sum + abs(Int(blocks[0][at.y * a + at.x]) - Int(blocks[1][at.y * b + at.x]))
      }
      return KernelCall(blocks, [KernelRow(result: [sum])]) {
        unsafe $1[2].integers[0] = $0.blockDistance($1[0].bytes, a, $1[1].bytes, b)
      }
    },
    Kernel("refineRow") { input in
      let count = input.sampleCount()
      // Five rows with two samples before and after each. Some rows may be the same.
      let offsets = (0..<5).map { _ in 2 + input.integer(in: 0...4) * (count + 4) }
      let (reach, contrast) = (input.float(), input.float())
      let planes = input.rows(4, of: 5 * (count + 4))
      let spatial = input.floats(25)
      let refined = (0..<count).map { i in
        var (sum, weight): (Float, Float) = (0, 0)
        for (n, factor) in spatial.enumerated() {
          let (own, other) = (offsets[2] + i, offsets[n / 5] + i + n % 5 - 2)
          let squares = planes.dropFirst().map { plane in
            (Int32(plane[own]) - Int32(plane[other])) * (Int32(plane[own]) - Int32(plane[other]))
          }
          let near = 1 - Float(squares[0] + 3 * (squares[1] + squares[2])) * reach
          let likeness = near > 0 ? near : 0
          let share = factor * (likeness * likeness)
          weight += share
          sum += share * Float(planes[0][other])
        }
        return Exact.byte((sum / weight - 127.5) * contrast + 127.5)
      }
      return KernelCall(
        planes,
        [
          KernelRow(offsets), KernelRow(spatial), KernelRow(memory: count),
          KernelRow(memory: count), KernelRow(result: refined),
        ]
      ) {
        let planes = unsafe MattePlanes(
          alpha: $1[0].bytes, luma: $1[1].bytes, cb: $1[2].bytes, cr: $1[3].bytes)
        unsafe $0.refineRow(
          planes, $1[4].integers, $1[5].floats, reach, contrast, $1[6].floats, $1[7].floats,
          $1[8].bytes, count)
      }
    },
    Kernel("contrastRow") { input in
      let (count, contrast) = (input.sampleCount(), input.float())
      let old = input.fill(count)
      let new = old.map { Exact.byte((Float($0) - 127.5) * contrast + 127.5) }
      return KernelCall([KernelRow(old, becomes: new)]) {
        unsafe $0.contrastRow($1[0].bytes, contrast, count)
      }
    },
    Kernel("expandRow") { input in expand(&input, samples: 1) },
    Kernel("expandPairs") { input in expand(&input, samples: 2) },
    Kernel("enlargeRow") { input in enlarge(&input, samples: 1) },
    Kernel("enlargePairs") { input in enlarge(&input, samples: 2) },
    Kernel("averagePairs") { input in
      let count = input.sampleCount()
      let row = input.fill(2 * count)
      let means = row.indices.map { Exact.mixed(row[$0 & ~1], row[$0 | 1], 128) }
      return KernelCall([row], [KernelRow(result: means)]) {
        unsafe $0.averagePairs($1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel("maximumRow") { input in
      let count = input.sampleCount()
      let (out, rows) = (input.outputPlace(), input.rows(2, of: count))
      return KernelCall(places(rows, out, zip(rows[0], rows[1]).map { max($0, $1) })) {
        unsafe $0.maximumRow($1[0].bytes, $1[1].bytes, $1[out].bytes, count)
      }
    },
    Kernel("minimumRow") { input in
      let count = input.sampleCount()
      let (out, rows) = (input.outputPlace(), input.rows(2, of: count))
      return KernelCall(places(rows, out, zip(rows[0], rows[1]).map { min($0, $1) })) {
        unsafe $0.minimumRow($1[0].bytes, $1[1].bytes, $1[out].bytes, count)
      }
    },
  ]

  /// The samples of a block.
  private static let positions = (0..<64).map { (x: $0 % 8, y: $0 / 8) }

  /// The rows of a kernel that writes to row `out`: one of its two sources, or a third row.
  static func places(_ rows: [[UInt8]], _ out: Int, _ result: [UInt8]) -> [KernelRow] {
    rows.enumerated().map { KernelRow($1, becomes: $0 == out ? result : $1) }
      + (out == 2 ? [KernelRow(result: result)] : [])
  }

  private static func expand(_ input: inout FuzzInput, samples: Int) -> KernelCall {
    let (count, width) = (input.sampleCount(), input.integer(in: 2...65537))
    let pattern = (0..<8).map { _ in input.integer(in: 0...65535) }
    // Each position is followed by a sample.
    let positions = (0..<count).map { UInt16((pattern[$0 % 8] + $0 / 3) % (width - 1)) }
    let (row, weights) = (input.fill(samples * width), input.fill(count))
    let expanded = (0..<samples * count).map { i in
      let at = samples * Int(positions[i / samples]) + i % samples
      return Exact.mixed(row[at], row[at + samples], Int(weights[i / samples]))
    }
    return KernelCall([
      KernelRow(row), KernelRow(positions), KernelRow(weights), KernelRow(result: expanded),
    ]) {
      if samples == 1 {
        unsafe $0.expandRow($1[0].bytes, $1[1].words, $1[2].bytes, $1[3].bytes, count)
      } else {
        unsafe $0.expandPairs($1[0].bytes, $1[1].words, $1[2].bytes, $1[3].bytes, count)
      }
    }
  }

  private static func enlarge(_ input: inout FuzzInput, samples: Int) -> KernelCall {
    let (count, shift) = (input.sampleCount(), input.integer(in: 1...8))
    let size = 1 << shift
    let row = input.fill(samples * ((count + size - 1) / size))
    let enlarged = (0..<samples * count).map { i in
      let j = i / samples + size / 2
      func sample(_ at: Int) -> UInt8 {
        row[min(max(at, 0), row.count / samples - 1) * samples + i % samples]
      }
      return Exact.mixed(
        sample(j / size - 1), sample(j / size), ((2 * (j % size) + 1) * 128) >> shift)
    }
    return KernelCall([row], [KernelRow(result: enlarged)]) {
      if samples == 1 {
        unsafe $0.enlargeRow($1[0].bytes, shift, $1[1].bytes, count)
      } else {
        unsafe $0.enlargePairs($1[0].bytes, shift, $1[1].bytes, count)
      }
    }
  }
}
