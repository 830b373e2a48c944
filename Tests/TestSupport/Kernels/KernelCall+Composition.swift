import PixelTypes

extension KernelCall {
  static let composition: [Kernel] = [
    Kernel("mixRows") { input in
      let (count, weight) = (input.sampleCount(), input.integer(in: 0...256))
      let (out, rows) = (input.outputPlace(), input.rows(2, of: count))
      return KernelCall(places(rows, out, Exact.mixed(rows[0], rows[1], weight))) {
        unsafe $0.mixRows($1[0].bytes, $1[1].bytes, weight, $1[out].bytes, count)
      }
    },
    Kernel("blendRow") { input in
      let (count, weight) = (input.sampleCount(), input.integer(in: 0...256))
      let (old, rows) = (input.fill(count), input.rows(3, of: count))
      let alpha = Exact.mixed(rows[1], rows[2], weight)
      let new = old.indices.map { Exact.blended(old[$0], rows[0][$0], Int(alpha[$0])) }
      return KernelCall(rows, [KernelRow(old, becomes: new)]) {
        unsafe $0.blendRow($1[3].bytes, $1[0].bytes, $1[1].bytes, $1[2].bytes, weight, count)
      }
    },
    Kernel("despillRow") { input in
      let count = input.sampleCount()
      let (weight, alphaWeight) = (input.integer(in: 0...256), input.integer(in: 0...256))
      let (old, rows) = (input.fill(count), input.rows(6, of: count))
      let persons = Exact.mixed(rows[0], rows[1], weight)
      let rooms = Exact.mixed(rows[2], rows[3], weight)
      let alpha = Exact.mixed(rows[4], rows[5], alphaWeight)
      let new = old.indices.map { i in
        let (sample, person, room) = (Int(old[i]), Int(persons[i]), Int(rooms[i]))
        let share = (2 * abs(person - room) * (255 - Int(alpha[i])) + 255) / 510
        if person > room, person > sample { return UInt8(min(sample + share, person)) }
        if person < room, person < sample { return UInt8(max(sample - share, person)) }
        return old[i]
      }
      return KernelCall(rows, [KernelRow(old, becomes: new)]) {
        unsafe $0.despillRow(
          $1[6].bytes, $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, weight, $1[4].bytes,
          $1[5].bytes, alphaWeight, count)
      }
    },
    Kernel("fadeRow") { input in
      let count = input.sampleCount()
      let (weight, alphaWeight) = (input.integer(in: 0...256), input.integer(in: 0...256))
      let (old, rows) = (input.fill(count), input.rows(4, of: count))
      let persons = Exact.mixed(rows[0], rows[1], weight)
      let alpha = Exact.mixed(rows[2], rows[3], alphaWeight)
      let new = old.indices.map { i in
        Exact.blended(old[i], persons[i], min(max(4 * (Int(alpha[i]) - 127), 0), 255))
      }
      return KernelCall(rows, [KernelRow(old, becomes: new)]) {
        unsafe $0.fadeRow(
          $1[4].bytes, $1[0].bytes, $1[1].bytes, weight, $1[2].bytes, $1[3].bytes, alphaWeight,
          count)
      }
    },
    Kernel("addLight") { input in
      let (count, weight) = (input.sampleCount(), input.integer(in: 0...256))
      let (a, b) = (input.byte(), input.byte())
      let (low, high) = (min(a, b), max(a, b))
      let (old, rows) = (input.fill(count), input.rows(2, of: count))
      let light = Exact.mixed(rows[0], rows[1], weight)
      let new = zip(old, light).map {
        UInt8(min(max(Int($0) + Int($1) - 128, Int(low)), Int(high)))
      }
      return KernelCall(rows, [KernelRow(old, becomes: new)]) {
        unsafe $0.addLight($1[2].bytes, $1[0].bytes, $1[1].bytes, weight, low, high, count)
      }
    },
    Kernel("relightRow") { input in
      let (count, curve) = (input.sampleCount(), lightCurve(&input))
      let old = input.fill(count)
      let new = old.map { sample in
        if sample <= curve.low { return sample }
        let x = 128 * (Int(sample) - Int(curve.low))
        let gain = Int(curve.gain) + (Int(curve.slope) * x) >> 16
        let luma = Int(curve.low) + ((gain * x) >> 16 + 8) >> 4
        return UInt8(truncatingIfNeeded: min(luma, 255))
      }
      return KernelCall([KernelRow(old, becomes: new)]) {
        unsafe $0.relightRow($1[0].bytes, curve, count)
      }
    },
    Kernel("relightPairs") { input in
      let (count, curve) = (input.sampleCount(), lightCurve(&input))
      let old = input.fill(2 * count)
      let new = old.enumerated().map { i, sample in
        let shift = Int(i % 2 == 0 ? curve.cb : curve.cr)
        return Exact.byte(128 + (Int(curve.saturation) * (Int(sample) - 128) + shift + 64) >> 7)
      }
      return KernelCall([KernelRow(old, becomes: new)]) {
        unsafe $0.relightPairs($1[0].bytes, curve, count)
      }
    },
  ]

  private static func lightCurve(_ input: inout FuzzInput) -> LightCurve {
    LightCurve(
      gainAtBlack: input.float(), gainAtWhite: input.float(), saturation: input.float(),
      cb: input.float(), cr: input.float(),
      colorimetry: Colorimetry(matrix: .bt709, range: input.flag() ? .limited : .full))
  }

  static let blur: [Kernel] = [
    Kernel("roomWeights") { input in
      let (count, slope, least) = (input.sampleCount(), input.float(), input.float())
      let row = input.fill(count)
      let weights = row.map { byte in
        let weight = 1 - slope * Float(byte)
        return weight > least ? weight : least
      }
      return KernelCall([row], [KernelRow(result: weights)]) {
        unsafe $0.roomWeights($1[0].bytes, slope, least, $1[1].floats, count)
      }
    },
    Kernel("weighRow") { input in
      let (count, repeats) = (input.sampleCount(), input.integer(in: 1...2))
      let weights = input.floats((count + repeats - 1) / repeats)
      let row = input.fill(count)
      let weighed = row.indices.map { weights[$0 / repeats] * Float(row[$0]) }
      return KernelCall([row], [KernelRow(weights), KernelRow(result: weighed)]) {
        unsafe $0.weighRow($1[0].bytes, $1[1].floats, repeats, $1[2].floats, count)
      }
    },
    Kernel("unweighRow") { input in
      let (count, repeats) = (input.sampleCount(), input.integer(in: 1...2))
      let weights = input.floats((count + repeats - 1) / repeats)
      let sums = input.floats(count)
      let bytes = sums.indices.map { Exact.byte(sums[$0] / weights[$0 / repeats]) }
      return KernelCall([KernelRow(sums), KernelRow(weights), KernelRow(result: bytes)]) {
        unsafe $0.unweighRow($1[0].floats, $1[1].floats, repeats, $1[2].bytes, count)
      }
    },
    Kernel("convolveRow") { input in
      let (count, tapCount) = (input.sampleCount(), input.integer(in: 1...13))
      let step = input.integer(in: 1...40)
      let margin = (tapCount - 1) * step
      let (row, taps) = (input.floats(count + 2 * margin), input.floats(tapCount))
      let sums = (margin..<margin + count).map { centre in
        (1..<tapCount).reduce(taps[0] * row[centre]) { sum, t in
          sum + taps[t] * (row[centre - t * step] + row[centre + t * step])
        }
      }
      return KernelCall([KernelRow(row), KernelRow(taps), KernelRow(result: sums)]) {
        unsafe $0.convolveRow(
          $1[0].floats + margin, step, $1[1].floats, tapCount, $1[2].floats, count)
      }
    },
  ]

  private static func colorFactors(_ input: inout FuzzInput) -> ColorFactors {
    ColorFactors(
      Double(input.float()), Double(input.float()), Double(input.float()),
      offset: Double(input.float()))
  }

  static let lens: [Kernel] = [
    Kernel("lightRow") { input in
      let (count, f) = (input.sampleCount(), colorFactors(&input))
      let rows = input.rows(3, of: count)
      let light = (0..<count).map { i in
        let color =
          f.offset + f.first * Float(rows[0][i]) + f.second * Float(rows[1][i]) + f.third
          * Float(rows[2][i])
        let x = Exact.clamped(color, 0, 1)
        let t = x * (0.045 + 0.955 * x)
        return t * (0.7475 + 0.2525 * t)
      }
      return KernelCall(rows, [KernelRow(result: light)]) {
        unsafe $0.lightRow($1[0].bytes, $1[1].bytes, $1[2].bytes, f, $1[3].floats, count)
      }
    },
    Kernel("codeRow") { input in
      let (count, f) = (input.sampleCount(), colorFactors(&input))
      let colors = (0..<3).map { _ in input.floats(count) }
      let codes = (0..<count).map { i in
        Exact.byte(
          f.offset + f.first * colors[0][i] + f.second * colors[1][i] + f.third * colors[2][i])
      }
      return KernelCall(colors.map { KernelRow($0) } + [KernelRow(result: codes)]) {
        unsafe $0.codeRow($1[0].floats, $1[1].floats, $1[2].floats, f, $1[3].bytes, count)
      }
    },
    Kernel("encodeLight") { input in
      let count = input.sampleCount()
      let (sums, weights) = (input.floats(count), input.floats(count))
      let encoded = zip(sums, weights).map { sum, weight in
        let light = Exact.clamped(sum / weight, 0, 1)
        let t = root(light * (1 / 0.2525) + 2.190_986_2) - 1.480_198
        return root((t > 0 ? t : 0) * (1 / 0.955) + 0.000_555_083_5) - 0.023_560_21
      }
      return KernelCall([KernelRow(sums), KernelRow(weights), KernelRow(result: encoded)]) {
        unsafe $0.encodeLight($1[0].floats, $1[1].floats, $1[2].floats, count)
      }
    },
    Kernel("scaleRow") { input in
      let count = input.sampleCount()
      let (old, weights) = (input.floats(count), input.floats(count))
      let new = zip(old, weights).map { $0 * $1 }
      return KernelCall([KernelRow(old, becomes: new), KernelRow(weights)]) {
        unsafe $0.scaleRow($1[0].floats, $1[1].floats, count)
      }
    },
    Kernel("sumDisc") { input in
      let (count, reach) = (input.sampleCount(), input.integer(in: 0...6))
      let lengths = (0...reach).map { _ in Int32(input.integer(in: 0...6)) }.sorted(by: >)
      let stride = input.integer(in: 1...40)
      let margin = (Int(lengths[0]) + 1) * stride + reach
      let row = input.floats(count + 2 * margin)
      let (tips, shares) = (input.floats(reach + 1), input.floats(reach + 1))
      func pair(_ at: Int, _ t: Int) -> Float { row[at - t * stride] + row[at + t * stride] }
      func column(_ at: Int, _ length: Int) -> Float {
        (0..<length).reduce(row[at]) { $0 + pair(at, $1 + 1) }
      }
      let sums = (margin..<margin + count).map { i in
        (0...reach).reversed().reduce(0 as Float) { sum, d in
          let n = Int(lengths[d])
          let ends = pair(i - d, n + 1) + pair(i + d, n + 1)
          return sum + shares[d] * ((column(i - d, n) + column(i + d, n)) + tips[d] * ends)
        }
      }
      return KernelCall([
        KernelRow(row), KernelRow(lengths), KernelRow(tips), KernelRow(shares),
        KernelRow(memory: count + 2 * reach), KernelRow(result: sums),
      ]) {
        unsafe $0.sumDisc(
          $1[0].floats + margin, stride, $1[1].int32s, $1[2].floats, $1[3].floats, reach,
          $1[4].floats, $1[5].floats, count)
      }
    },
  ]

  /// The square root by two of Newton's steps.
  private static func root(_ value: Float) -> Float {
    (0..<2).reduce(Float(bitPattern: 0x5f37_5a86 - value.bitPattern / 2)) { inverse, _ in
      inverse * (1.5 - 0.5 * value * inverse * inverse)
    } * value
  }
}
