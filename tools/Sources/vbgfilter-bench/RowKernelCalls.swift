import PixelTypes

/// Calls each row kernel with rows of the same lengths as for a 1080p frame with `quality=fast`.
final class RowKernelCalls {
  /// A kernel, and a function that calls it.
  struct Kernel {
    /// The name of the kernel's function.
    var name: String
    /// The number of samples per call: input or output samples, whichever are more.
    var samples: Int
    /// Calls the kernel once, in the given instruction set's variant.
    var call: (any RowKernels.Type) -> Void
  }

  /// All kernels, in the order in which the work on a frame calls them.
  private(set) var all: [Kernel] = []

  private let bytes = Raster<UInt8>(width: 4096, height: 16, filledWith: 90)
  private let pixels = Raster<UInt8>(width: 4 * 1920, height: 1, filledWith: 0)
  private let outBytes = Raster<UInt8>(width: 4096, height: 1, filledWith: 0)
  private let sums = Raster<UInt16>(width: 4096, height: 1, filledWith: 1000)
  private let floats = Raster<Float>(width: 4096, height: 16, filledWith: 0.5)
  private let outFloats = Raster<Float>(width: 4096, height: 3, filledWith: 0)
  private let weights = Raster<Float>(width: 1024, height: 12, filledWith: 0.25)
  private let rows = Raster<Int>(width: 5, height: 1, filledWith: 0)
  private let starts = Raster<Int32>(width: 256, height: 1, filledWith: 0)
  private let positions = Raster<UInt16>(width: 1920, height: 1, filledWith: 0)
  private let parts = Raster<UInt8>(width: 1920, height: 1, filledWith: 100)

  /// Fills the input rows with samples.
  init() {
    for i in 0..<256 { unsafe starts.base[i] = Int32(i * 15 / 8) }
    for i in 0..<1920 { unsafe positions.base[i] = UInt16(i * 2 / 15) }
    for i in 0..<bytes.width * bytes.height {
      unsafe bytes.base[i] = UInt8(truncatingIfNeeded: i &* 37)
    }
    addShrinking()
    addTensor()
    addMatte()
    addBlur()
    addComposition()
    addFormats()
  }

  private func add(
    _ name: String, _ samples: Int, _ call: @escaping (any RowKernels.Type) -> Void
  ) {
    all.append(Kernel(name: name, samples: samples, call: call))
  }

  private func addShrinking() {
    add("sumTwoRows", 480) { [self] in
      unsafe $0.sumTwoRows(sums.base, bytes.row(0), bytes.row(1), 480)
    }
    add("sumFourRows", 1920) { [self] in
      unsafe $0.sumFourRows(
        sums.base, bytes.row(0), bytes.row(1), bytes.row(2), bytes.row(3), 1920)
    }
    add("addFourRows", 1920) { [self] in
      unsafe $0.addFourRows(
        sums.base, bytes.row(0), bytes.row(1), bytes.row(2), bytes.row(3), 1920)
    }
    add("averageColumns", 1920) { [self] in
      unsafe $0.averageColumns(sums.base, 1920, 2, outBytes.base)
    }
    add("averageColumnPairs", 1920) { [self] in
      unsafe $0.averageColumnPairs(sums.base, 960, 2, outBytes.base)
    }
  }

  private func addTensor() {
    add("sumWeightedRows", 480) { [self] in
      unsafe $0.sumWeightedRows(bytes.base, bytes.width, weights.base, 4, outFloats.base, 480)
    }
    add("filterColumns", 256) { [self] in
      unsafe $0.filterColumns(
        floats.base, starts.base, weights.base, 4, outFloats.base, 256)
    }
    add("filterColumnPairs", 512) { [self] in
      unsafe $0.filterColumnPairs(
        floats.base, starts.base, weights.base, 2, outFloats.row(0), outFloats.row(1), 256)
    }
    let colors = RGBCoefficients(
      Colorimetry(matrix: .bt709, range: .limited), low: 0, high: 1)
    add("convertToRGB", 768) { [self] in
      unsafe $0.convertToRGB(
        floats.row(0), floats.row(1), floats.row(2), colors, outFloats.base, outFloats.base + 1,
        outFloats.base + 2, 3, 256)
    }
  }

  private func addMatte() {
    add("differRow", 256) { [self] in
      unsafe $0.differRow(bytes.row(0), bytes.row(1), outBytes.base, 256)
    }
    add("blockDistance", 64) { [self] in
      _ = unsafe $0.blockDistance(bytes.row(0), bytes.width, bytes.row(8), bytes.width)
    }
    add("smooth", 256) { [self] in
      unsafe $0.smooth(outFloats.base, outBytes.base, bytes.base, 0.6, 0.8, 256)
    }
    let planes = unsafe MattePlanes(
      alpha: bytes.row(0) + 2, luma: bytes.row(5) + 2, cb: bytes.row(10) + 2,
      cr: bytes.row(11) + 2)
    for i in 0..<5 { unsafe rows.base[i] = i * bytes.width }
    add("refineRow", 256) { [self] in
      unsafe $0.refineRow(
        planes, rows.base, weights.base, 1e-4, 1.5, outFloats.row(0), outFloats.row(1),
        outBytes.base, 256)
    }
    add("contrastRow", 256) { [self] in unsafe $0.contrastRow(outBytes.base, 1.5, 256) }
    add("quantize", 256) { [self] in unsafe $0.quantize(floats.base, outBytes.base, 256) }
    add("maximumRow", 256) { [self] in
      unsafe $0.maximumRow(bytes.row(0), bytes.row(1), outBytes.base, 256)
    }
    add("minimumRow", 256) { [self] in
      unsafe $0.minimumRow(bytes.row(0), bytes.row(1), outBytes.base, 256)
    }
    add("expandRow", 1920) { [self] in
      unsafe $0.expandRow(bytes.base, positions.base, parts.base, outBytes.base, 1920)
    }
    add("averagePairs", 1920) { [self] in
      unsafe $0.averagePairs(bytes.base, outBytes.base, 960)
    }
  }

  private func addBlur() {
    add("roomWeights", 240) { [self] in
      unsafe $0.roomWeights(bytes.base, 1 / 64, 0.001, outFloats.base, 240)
    }
    add("weighRow", 240) { [self] in
      unsafe $0.weighRow(bytes.base, weights.base, 1, outFloats.base, 240)
    }
    add("convolveRow", 240) { [self] in
      unsafe $0.convolveRow(floats.row(8), 240, weights.base, 7, outFloats.base, 240)
    }
    add("unweighRow", 240) { [self] in
      unsafe $0.unweighRow(floats.base, weights.base, 1, outBytes.base, 240)
    }
    add("enlargeRow", 1920) { [self] in
      unsafe $0.enlargeRow(bytes.base, 3, outBytes.base, 1920)
    }
    add("enlargePairs", 1920) { [self] in
      unsafe $0.enlargePairs(bytes.base, 3, outBytes.base, 960)
    }
  }

  private func addComposition() {
    add("mixRows", 1920) { [self] in
      let rows = unsafe RowBetween(top: bytes.row(0), bottom: bytes.row(1), weight: 100)
      unsafe $0.mixRows(rows, outBytes.base, 1920)
    }
    add("blendRow", 1920) { [self] in
      let alpha = unsafe RowBetween(top: bytes.row(1), bottom: bytes.row(2), weight: 100)
      unsafe $0.blendRow(outBytes.base, bytes.row(0), alpha, 1920)
    }
  }

  private func addFormats() {
    add("interleaveRows", 1920) { [self] in
      unsafe $0.interleaveRows(bytes.row(0), bytes.row(1), outBytes.base, 960)
    }
    add("deinterleaveRow", 1920) { [self] in
      unsafe $0.deinterleaveRow(bytes.base, outBytes.base, outBytes.base + 960, 960)
    }
    add("narrowRow", 1920) { [self] in unsafe $0.narrowRow(bytes.base, outBytes.base, 960) }
    add("widenRow", 1920) { [self] in unsafe $0.widenRow(bytes.base, outBytes.base, 960) }
    add("swapPairs", 1920) { [self] in unsafe $0.swapPairs(bytes.base, outBytes.base, 960) }
    add("clearRow", 1920) { [self] in unsafe $0.clearRow(outBytes.base, bytes.base, 16, 1920) }
    add("clearPairs", 1920) { [self] in
      unsafe $0.clearPairs(outBytes.base, bytes.row(0), bytes.row(1), 128, 960)
    }
    add("stretchRow", 1920) { [self] in
      unsafe $0.stretchRow(bytes.base, 16, 76309, outBytes.base, 1920)
    }
    let colors = FixedRGBCoefficients(Colorimetry(matrix: .bt709, range: .limited))
    let order = PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3)
    add("packRGB", 1920) { [self] in
      unsafe $0.packRGB(
        bytes.row(0), bytes.row(1), bytes.row(2), colors, order, pixels.base, 1920)
    }
    add("packYUV", 1920) { [self] in
      unsafe $0.packYUV(bytes.row(0), bytes.row(1), bytes.row(2), 16, pixels.base, 1920)
    }
  }
}
