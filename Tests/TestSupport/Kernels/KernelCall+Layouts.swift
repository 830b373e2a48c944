import PixelTypes

extension KernelCall {
  static let lowLight: [Kernel] = [
    Kernel("brightenRow") { input in
      let (count, curve) = (input.sampleCount(), curve(&input))
      let row = input.fill(count)
      let bright = row.map { brightened(Int($0), curve).luma }
      return KernelCall([row], [KernelRow(result: bright)]) {
        unsafe $0.brightenRow($1[0].bytes, curve, $1[1].bytes, count)
      }
    },
    Kernel("brightenPairs") { input in
      let (count, curve) = (input.sampleCount(), curve(&input))
      let chroma = input.fill(2 * count)
      // The last luma sample of an odd width belongs to a pair alone.
      let rows = input.rows(2, of: max(2 * count - 1, 0))
      let bright = chroma.indices.map { i in
        let luma = Exact.mixed(rows[0][i & ~1], rows[1][i & ~1], 128)
        let g = brightened(Int(luma), curve).gains
        let factor = ((((g[0] * g[1]) >> 16) << 2 * g[2]) >> 16) << 3
        return Exact.byte((((Int(chroma[i]) - 128) * 128 * factor) >> 16 + 4) >> 3 + 128)
      }
      return KernelCall(rows + [chroma], [KernelRow(result: bright)]) {
        unsafe $0.brightenPairs($1[2].bytes, $1[0].bytes, $1[1].bytes, curve, $1[3].bytes, count)
      }
    },
    Kernel("pastWeights") { input in
      let count = input.sampleCount()
      let (noise, limit) = (input.integer(in: 256...16384), 191)
      let (row, words) = (input.fill(count), input.words(count))
      let matte = input.fill(count).map { $0 < 60 ? $0 : 255 }
      // Most are about as different as noise.
      let past = zip(row, words).map {
        $1 % 5 == 0 ? $1 : UInt16($0) << 8 &+ $1 % UInt16(4 * noise - 1) &- UInt16(2 * noise)
      }
      let results = row.indices.map { i -> (past: UInt16, weight: UInt8) in
        guard matte[i] == 255 else { return (0, 0) }
        let (new, old) = (Int(row[i]) << 8 | 1, Int(past[i]))
        let excess = max(abs(new - old) - noise, 0)
        guard old != 0, excess < noise else { return (UInt16(new), 0) }
        let weight = limit - (excess * (limit * 65536 / (noise + 1))) >> 16
        let share = (255 - weight) * 257
        let mean = weight == 0 ? new : old - (old * share) >> 16 + (new * share) >> 16 | 1
        return (UInt16(mean), UInt8(weight))
      }
      return KernelCall(
        [row, matte],
        [KernelRow(past, becomes: results.map(\.past)), KernelRow(result: results.map(\.weight))]
      ) {
        unsafe $0.pastWeights(
          $1[0].bytes, $1[1].bytes, $1[2].words, UInt16(noise), UInt8(limit), $1[3].bytes, count)
      }
    },
  ]

  private static func curve(_ input: inout FuzzInput) -> LightCurve {
    let range = input.choice([Colorimetry.Range.limited, .full])
    return LightCurve(brighteningBy: input.double(), Colorimetry(matrix: .bt709, range: range))
  }

  /// The gains of the three steps, and the result.
  private static func brightened(_ luma: Int, _ curve: LightCurve) -> (gains: [Int], luma: UInt8) {
    var (x, gains) = (128 * max(luma - Int(curve.low), 0), [Int]())
    for _ in 0..<3 {
      let gain = max(Int(curve.gain) + (Int(curve.slope) * x) >> 16, 8192)
      gains.append(gain)
      x = ((gain * x) >> 16) << 3
    }
    return (gains, UInt8(Int(curve.low) + (x + 64) >> 7))
  }

  static let layouts: [Kernel] = [
    Kernel("interleaveRows") { input in
      let rows = input.rows(2, of: input.sampleCount())
      let pairs = zip(rows[0], rows[1]).flatMap { [$0, $1] }
      return KernelCall(rows, [KernelRow(result: pairs)]) {
        unsafe $0.interleaveRows($1[0].bytes, $1[1].bytes, $1[2].bytes, rows[0].count)
      }
    },
    Kernel("deinterleaveRow") { input in
      let count = input.sampleCount()
      let pairs = input.fill(2 * count)
      let halves = (0...1).map { half in
        KernelRow(result: (0..<count).map { pairs[2 * $0 + half] })
      }
      return KernelCall([pairs], halves) {
        unsafe $0.deinterleaveRow($1[0].bytes, $1[1].bytes, $1[2].bytes, count)
      }
    },
    Kernel("swapPairs") { input in
      let count = input.sampleCount()
      let pairs = input.fill(2 * count)
      return KernelCall([pairs], [KernelRow(result: pairs.indices.map { pairs[$0 ^ 1] })]) {
        unsafe $0.swapPairs($1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel("narrowRow") { input in
      let words = input.words(input.sampleCount())
      let bytes = words.map { Exact.byte((Int($0) + 128) >> 8) }
      return KernelCall([KernelRow(words), KernelRow(result: bytes)]) {
        unsafe $0.narrowRow($1[0].bytes, $1[1].bytes, words.count)
      }
    },
    Kernel("widenRow") { input in
      let row = input.fill(input.sampleCount())
      return KernelCall([row], [KernelRow(result: row.flatMap { [0, $0] })]) {
        unsafe $0.widenRow($1[0].bytes, $1[1].bytes, row.count)
      }
    },
    Kernel("clearRow") { input in
      let (count, value) = (input.sampleCount(), input.byte())
      let (old, alpha) = (input.fill(count), sparse(&input, count))
      let new = zip(old, alpha).map { $1 == 0 ? value : $0 }
      return KernelCall([alpha], [KernelRow(old, becomes: new)]) {
        unsafe $0.clearRow($1[1].bytes, $1[0].bytes, value, count)
      }
    },
    Kernel("clearPairs") { input in
      let (count, value) = (input.sampleCount(), input.byte())
      let old = input.fill(2 * count)
      let (top, bottom) = (sparse(&input, 2 * count), sparse(&input, 2 * count))
      let new = old.indices.map { i in
        let (a, b) = (i & ~1, i | 1)
        return top[a] | top[b] | bottom[a] | bottom[b] == 0 ? value : old[i]
      }
      return KernelCall([top, bottom], [KernelRow(old, becomes: new)]) {
        unsafe $0.clearPairs($1[2].bytes, $1[0].bytes, $1[1].bytes, value, count)
      }
    },
    Kernel("stretchRow") { input in
      let (count, low) = (input.sampleCount(), input.byte())
      let factor = input.integer(in: 0...1 << 22)
      let row = input.fill(count)
      let new = row.map { Exact.byte((factor * (Int($0) - Int(low)) + 32768) >> 16) }
      return KernelCall([row], [KernelRow(result: new)]) {
        unsafe $0.stretchRow($1[0].bytes, low, Int32(factor), $1[1].bytes, count)
      }
    },
    Kernel("packRGB") { input in
      let count = input.sampleCount()
      let c = FixedRGBCoefficients(colorimetry(&input))
      // The places of red, green, blue and alpha.
      let places = input.choice([[0, 1, 2, 3], [2, 1, 0, 3], [1, 2, 3, 0], [3, 2, 1, 0]])
      let order = PixelByteOrder(
        red: UInt32(places[0]), green: UInt32(places[1]), blue: UInt32(places[2]),
        alpha: UInt32(places[3]))
      return pack(count, &input) { luma, cb, cr, alpha in
        let y = Int(c.luma) * luma
        let samples = [
          (y + Int(c.redFromCr) * cr + Int(c.redOffset)) >> 16,
          (y + Int(c.greenFromCb) * cb + Int(c.greenFromCr) * cr + Int(c.greenOffset)) >> 16,
          (y + Int(c.blueFromCb) * cb + Int(c.blueOffset)) >> 16, alpha,
        ]
        var pixel = [0, 0, 0, 0]
        if alpha != 0 { for (place, sample) in zip(places, samples) { pixel[place] = sample } }
        return pixel
      } run: {
        unsafe $0.packRGB($1[0].bytes, $1[1].bytes, $1[2].bytes, c, order, $1[3].bytes, count)
      }
    },
    Kernel("packYUV") { input in
      let (count, black) = (input.sampleCount(), input.byte())
      return pack(count, &input) { luma, cb, cr, alpha in
        alpha == 0 ? [0, Int(black), 128, 128] : [alpha, luma, cb, cr]
      } run: {
        unsafe $0.packYUV($1[0].bytes, $1[1].bytes, $1[2].bytes, black, $1[3].bytes, count)
      }
    },
  ]

  /// Returns alphas, most of which are 0.
  private static func sparse(_ input: inout FuzzInput, _ count: Int) -> [UInt8] {
    input.fill(count).map { $0 < 160 ? 0 : $0 }
  }

  private static func pack(
    _ count: Int, _ input: inout FuzzInput,
    _ pixel: (_ luma: Int, _ cb: Int, _ cr: Int, _ alpha: Int) -> [Int],
    run: @escaping (any RowKernels.Type, [RowPlace]) -> Void
  ) -> KernelCall {
    let (luma, chroma) = (input.fill(count), input.fill(2 * count))
    let alpha = sparse(&input, count)
    let pixels = (0..<count).flatMap { i in
      let samples = [luma[i], chroma[2 * i], chroma[2 * i + 1], alpha[i]].map { Int($0) }
      return pixel(samples[0], samples[1], samples[2], samples[3]).map { Exact.byte($0) }
    }
    return KernelCall([luma, chroma, alpha], [KernelRow(result: pixels)], run)
  }
}
