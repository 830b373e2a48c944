import PixelTypes

extension KernelCall {
  static let matte: [Kernel] = [
    Kernel(name: "quantize") { input in
      let count = count(&input)
      return KernelCall([KernelRow(input.floats(count)), empty(count, as: UInt8.self)]) {
        unsafe $0.quantize($1[0].floats, $1[1].bytes, count)
      }
    },
    Kernel(name: "steady") { input in
      let count = count(&input)
      let (minShare, uncertaintyDamping) = (input.float(), input.float())
      return KernelCall([KernelRow(input.floats(count))] + rows(of: count, 2, &input)) {
        unsafe $0.smooth(
          $1[0].floats, $1[1].bytes, $1[2].bytes, minShare, uncertaintyDamping, count)
      }
    },
    Kernel(name: "differRow") { input in
      let count = count(&input)
      let out = outputPlace(&input, of: 2)
      return KernelCall(rows(of: count, 3, &input)) {
        unsafe $0.differRow($1[0].bytes, $1[1].bytes, $1[out].bytes, count)
      }
    },
    Kernel(name: "blockDistance") { input in
      let (a, b) = (input.integer(in: 8...40), input.integer(in: 8...40))
      return KernelCall([
        KernelRow(input.fill(7 * a + 8)), KernelRow(input.fill(7 * b + 8)), empty(1, as: Int.self),
      ]) {
        unsafe $1[2].integers[0] = $0.blockDistance($1[0].bytes, a, $1[1].bytes, b)
      }
    },
    Kernel(name: "refineRow") { input in
      let count = count(&input)
      // Five rows with two samples before and after each. Some rows may be the same.
      let offsets = (0..<5).map { _ in 2 + input.integer(in: 0...4) * (count + 4) }
      let (reach, contrast) = (input.float(), input.float())
      let planes = rows(of: 5 * (count + 4), 4, &input)
      let others = [
        KernelRow(offsets), KernelRow(input.floats(25)), empty(count, as: Float.self),
        empty(count, as: Float.self), empty(count, as: UInt8.self),
      ]
      return KernelCall(planes + others) {
        let planes = unsafe MattePlanes(
          alpha: $1[0].bytes, luma: $1[1].bytes, cb: $1[2].bytes, cr: $1[3].bytes)
        unsafe $0.refineRow(
          planes, $1[4].integers, $1[5].floats, reach, contrast, $1[6].floats, $1[7].floats,
          $1[8].bytes, count)
      }
    },
    Kernel(name: "contrastRow") { input in
      let (count, contrast) = (count(&input), input.float())
      return KernelCall(rows(of: count, 1, &input)) {
        unsafe $0.contrastRow($1[0].bytes, contrast, count)
      }
    },
    Kernel(name: "expandRow") { input in expand(&input, samples: 1) },
    Kernel(name: "expandPairs") { input in expand(&input, samples: 2) },
    Kernel(name: "enlargeRow") { input in enlarge(&input, samples: 1) },
    Kernel(name: "enlargePairs") { input in enlarge(&input, samples: 2) },
    Kernel(name: "averagePairs") { input in
      let count = count(&input)
      return KernelCall(rows(of: 2 * count, 2, &input)) {
        unsafe $0.averagePairs($1[0].bytes, $1[1].bytes, count)
      }
    },
    Kernel(name: "maximumRow") { input in
      let count = count(&input)
      let out = outputPlace(&input, of: 2)
      return KernelCall(rows(of: count, 3, &input)) {
        unsafe $0.maximumRow($1[0].bytes, $1[1].bytes, $1[out].bytes, count)
      }
    },
    Kernel(name: "minimumRow") { input in
      let count = count(&input)
      let out = outputPlace(&input, of: 2)
      return KernelCall(rows(of: count, 3, &input)) {
        unsafe $0.minimumRow($1[0].bytes, $1[1].bytes, $1[out].bytes, count)
      }
    },
  ]

  /// The output row of a kernel that may overwrite an input: a new row, or one of the inputs.
  static func outputPlace(_ input: inout FuzzInput, of sources: Int) -> Int {
    input.flag() ? sources : input.integer(in: 0...sources - 1)
  }

  private static func expand(_ input: inout FuzzInput, samples: Int) -> KernelCall {
    let (count, width) = (count(&input), input.integer(in: 2...500))
    let pattern = (0..<8).map { _ in input.integer(in: 0...500) }
    // Each position is followed by a sample.
    let positions = (0..<count).map { UInt16((pattern[$0 % 8] + $0 / 3) % (width - 1)) }
    return KernelCall([
      KernelRow(input.fill(samples * width)), KernelRow(positions), KernelRow(input.fill(count)),
      empty(samples * count, as: UInt8.self),
    ]) {
      if samples == 1 {
        unsafe $0.expandRow($1[0].bytes, $1[1].words, $1[2].bytes, $1[3].bytes, count)
      } else {
        unsafe $0.expandPairs($1[0].bytes, $1[1].words, $1[2].bytes, $1[3].bytes, count)
      }
    }
  }

  private static func enlarge(_ input: inout FuzzInput, samples: Int) -> KernelCall {
    let (count, shift) = (2 * count(&input), input.integer(in: 1...8))
    let size = 1 << shift
    return KernelCall([
      KernelRow(input.fill(samples * ((count + size - 1) / size))),
      empty(samples * count, as: UInt8.self),
    ]) {
      if samples == 1 {
        unsafe $0.enlargeRow($1[0].bytes, shift, $1[1].bytes, count)
      } else {
        unsafe $0.enlargePairs($1[0].bytes, shift, $1[1].bytes, count)
      }
    }
  }
}
