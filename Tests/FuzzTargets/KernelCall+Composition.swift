import PixelTypes

extension KernelCall {
  static let composition: [Kernel] = [
    Kernel(name: "mixRows") { input in
      let (count, weight) = (count(&input), input.integer(in: 0...256))
      let out = outputPlace(&input, of: 2)
      return KernelCall(rows(of: count, 3, &input)) {
        unsafe $0.mixRows($1[0].bytes, $1[1].bytes, weight, $1[out].bytes, count)
      }
    },
    Kernel(name: "blendRow") { input in
      let (count, weight) = (count(&input), input.integer(in: 0...256))
      return KernelCall(rows(of: count, 4, &input)) {
        unsafe $0.blendRow(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, weight, count)
      }
    },
    Kernel(name: "despillRow") { input in
      let count = count(&input)
      let (weight, alphaWeight) = (input.integer(in: 0...256), input.integer(in: 0...256))
      return KernelCall(rows(of: count, 7, &input)) {
        unsafe $0.despillRow(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, $1[3].bytes, $1[4].bytes, weight, $1[5].bytes,
          $1[6].bytes, alphaWeight, count)
      }
    },
    Kernel(name: "fadeRow") { input in
      let count = count(&input)
      let (weight, alphaWeight) = (input.integer(in: 0...256), input.integer(in: 0...256))
      return KernelCall(rows(of: count, 5, &input)) {
        unsafe $0.fadeRow(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, weight, $1[3].bytes, $1[4].bytes, alphaWeight,
          count)
      }
    },
    Kernel(name: "addLight") { input in
      let (count, weight) = (count(&input), input.integer(in: 0...256))
      let (a, b) = (input.byte(), input.byte())
      return KernelCall(rows(of: count, 3, &input)) {
        unsafe $0.addLight(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, weight, min(a, b), max(a, b), count)
      }
    },
    Kernel(name: "relightRow") { input in
      let (count, curve) = (count(&input), lightCurve(&input))
      return KernelCall(rows(of: count, 1, &input)) {
        unsafe $0.relightRow($1[0].bytes, curve, count)
      }
    },
    Kernel(name: "relightPairs") { input in
      let (count, curve) = (count(&input), lightCurve(&input))
      return KernelCall(rows(of: 2 * count, 1, &input)) {
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
    Kernel(name: "roomWeights") { input in
      let (count, slope, least) = (count(&input), input.float(), input.float())
      return KernelCall([KernelRow(input.fill(count)), empty(count, as: Float.self)]) {
        unsafe $0.roomWeights($1[0].bytes, slope, least, $1[1].floats, count)
      }
    },
    Kernel(name: "weighRow") { input in
      let (count, repeats) = (count(&input), input.integer(in: 1...2))
      let weights = KernelRow(input.floats((count + repeats - 1) / repeats))
      return KernelCall([KernelRow(input.fill(count)), weights, empty(count, as: Float.self)]) {
        unsafe $0.weighRow($1[0].bytes, $1[1].floats, repeats, $1[2].floats, count)
      }
    },
    Kernel(name: "unweighRow") { input in
      let (count, repeats) = (count(&input), input.integer(in: 1...2))
      let weights = KernelRow(input.floats((count + repeats - 1) / repeats))
      return KernelCall([KernelRow(input.floats(count)), weights, empty(count, as: UInt8.self)]) {
        unsafe $0.unweighRow($1[0].floats, $1[1].floats, repeats, $1[2].bytes, count)
      }
    },
    Kernel(name: "convolveRow") { input in
      let (count, tapCount) = (count(&input), input.integer(in: 1...13))
      let step = input.integer(in: 1...40)
      let margin = (tapCount - 1) * step
      return KernelCall([
        KernelRow(input.floats(count + 2 * margin)), KernelRow(input.floats(tapCount)),
        empty(count, as: Float.self),
      ]) {
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
    Kernel(name: "lightRow") { input in
      let (count, factors) = (count(&input), colorFactors(&input))
      return KernelCall(rows(of: count, 3, &input) + [empty(count, as: Float.self)]) {
        unsafe $0.lightRow(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, factors, $1[3].floats, count)
      }
    },
    Kernel(name: "codeRow") { input in
      let (count, factors) = (count(&input), colorFactors(&input))
      let colors = (0..<3).map { _ in KernelRow(input.floats(count)) }
      return KernelCall(colors + [empty(count, as: UInt8.self)]) {
        unsafe $0.codeRow(
          $1[0].floats, $1[1].floats, $1[2].floats, factors, $1[3].bytes, count)
      }
    },
    Kernel(name: "encodeLight") { input in
      let count = count(&input)
      return KernelCall([
        KernelRow(input.floats(count)), KernelRow(input.floats(count)),
        empty(count, as: Float.self),
      ]) {
        unsafe $0.encodeLight($1[0].floats, $1[1].floats, $1[2].floats, count)
      }
    },
    Kernel(name: "scaleRow") { input in
      let count = count(&input)
      return KernelCall([KernelRow(input.floats(count)), KernelRow(input.floats(count))]) {
        unsafe $0.scaleRow($1[0].floats, $1[1].floats, count)
      }
    },
    Kernel(name: "sumDisc") { input in
      let (count, reach) = (count(&input), input.integer(in: 0...6))
      let lengths = (0...reach).map { _ in Int32(input.integer(in: 0...6)) }.sorted(by: >)
      let stride = input.integer(in: 1...40)
      let margin = (Int(lengths[0]) + 1) * stride + reach
      return KernelCall([
        KernelRow(input.floats(count + 2 * margin)), KernelRow(lengths),
        KernelRow(input.floats(reach + 1)), KernelRow(input.floats(reach + 1)),
        empty(count + 2 * reach, as: Float.self), empty(count, as: Float.self),
      ]) {
        unsafe $0.sumDisc(
          $1[0].floats + margin, stride, $1[1].int32s, $1[2].floats, $1[3].floats, reach,
          $1[4].floats, $1[5].floats, count)
      }
    },
  ]

  private static func curve(_ input: inout FuzzInput) -> LightCurve {
    let range = input.choice([Colorimetry.Range.limited, .full])
    return LightCurve(
      brighteningBy: input.double(), Colorimetry(matrix: .bt709, range: range))
  }

  static let lowLight: [Kernel] = [
    Kernel(name: "brightenRow") { input in
      let (count, curve) = (count(&input), curve(&input))
      return KernelCall(rows(of: count, 1, &input) + [empty(count, as: UInt8.self)]) {
        unsafe $0.brightenRow($1[0].bytes, curve, $1[1].bytes, count)
      }
    },
    Kernel(name: "brightenPairs") { input in
      let (count, curve) = (count(&input), curve(&input))
      return KernelCall(rows(of: 2 * count, 3, &input) + [empty(2 * count, as: UInt8.self)]) {
        unsafe $0.brightenPairs(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, curve, $1[3].bytes, count)
      }
    },
    Kernel(name: "pastWeights") { input in
      let count = count(&input)
      let noise = UInt16(input.integer(in: 256...16384))
      let past = (0..<count).map { _ in UInt16(input.integer(in: 0...65535)) }
      return KernelCall(
        rows(of: count, 2, &input) + [KernelRow(past), empty(count, as: UInt8.self)]
      ) {
        unsafe $0.pastWeights(
          $1[0].bytes, $1[1].bytes, $1[2].words, noise, 191, $1[3].bytes, count)
      }
    },
  ]

  static let layouts: [Kernel] = [
    Kernel(name: "interleaveRows") { input in
      let count = count(&input)
      return KernelCall(rows(of: count, 2, &input) + [empty(2 * count, as: UInt8.self)]) {
        unsafe $0.interleaveRows($1[0].bytes, $1[1].bytes, $1[2].bytes, count)
      }
    },
    Kernel(name: "deinterleaveRow") { input in
      let count = count(&input)
      return KernelCall(rows(of: 2 * count, 1, &input) + rows(of: count, 2, &input)) {
        unsafe $0.deinterleaveRow($1[0].bytes, $1[1].bytes, $1[2].bytes, count)
      }
    },
    Kernel(name: "swapPairs") { input in
      let count = count(&input)
      return KernelCall(rows(of: 2 * count, 2, &input)) {
        unsafe $0.swapPairs($1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel(name: "narrowRow") { input in
      let count = count(&input)
      return KernelCall(rows(of: 2 * count, 1, &input) + [empty(count, as: UInt8.self)]) {
        unsafe $0.narrowRow($1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel(name: "widenRow") { input in
      let count = count(&input)
      return KernelCall(rows(of: count, 1, &input) + [empty(2 * count, as: UInt8.self)]) {
        unsafe $0.widenRow($1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel(name: "clearRow") { input in
      let (count, value) = (count(&input), input.byte())
      return KernelCall(rows(of: count, 2, &input)) {
        unsafe $0.clearRow($1[0].bytes, $1[1].bytes, value, count)
      }
    },
    Kernel(name: "clearPairs") { input in
      let (count, value) = (count(&input), input.byte())
      return KernelCall(rows(of: 2 * count, 3, &input)) {
        unsafe $0.clearPairs($1[0].bytes, $1[1].bytes, $1[2].bytes, value, count)
      }
    },
    Kernel(name: "stretchRow") { input in
      let (count, low) = (count(&input), input.byte())
      let factor = Int32(input.integer(in: 0...1 << 22))
      return KernelCall(rows(of: count, 2, &input)) {
        unsafe $0.stretchRow($1[0].bytes, low, factor, $1[1].bytes, count)
      }
    },
    Kernel(name: "packRGB") { input in
      let count = count(&input)
      let coefficients = FixedRGBCoefficients(colorimetry(&input))
      let order = input.choice([
        PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3),
        PixelByteOrder(red: 2, green: 1, blue: 0, alpha: 3),
        PixelByteOrder(red: 1, green: 2, blue: 3, alpha: 0),
        PixelByteOrder(red: 3, green: 2, blue: 1, alpha: 0),
      ])
      return pack(count, &input) {
        unsafe $0.packRGB(
          $1[0].bytes, $1[1].bytes, $1[2].bytes, coefficients, order, $1[3].bytes, count)
      }
    },
    Kernel(name: "packYUV") { input in
      let (count, black) = (count(&input), input.byte())
      return pack(count, &input) {
        unsafe $0.packYUV($1[0].bytes, $1[1].bytes, $1[2].bytes, black, $1[3].bytes, count)
      }
    },
  ]

  private static func pack(
    _ count: Int, _ input: inout FuzzInput,
    _ run: @escaping (any RowKernels.Type, Places) -> Void
  ) -> KernelCall {
    let (luma, chroma) = (KernelRow(input.fill(count)), KernelRow(input.fill(2 * count)))
    let alpha = KernelRow(input.fill(count))
    return KernelCall([luma, chroma, alpha, empty(4 * count, as: UInt8.self)], run)
  }
}
