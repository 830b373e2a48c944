import Matting
import PixelTypes

#if canImport(Glibc)
  import Glibc
#endif

/// Blurs the real background with a disc in linear light, like a lens that is out of focus.
///
/// Uses normalised convolution, like `BackgroundBlur`. Points of light become discs of even
/// brightness, because light adds up, and code values do not.
///
/// On the grid the disc's radius is limited, so the cost does not grow with the radius in pixels.
package final class LensBlur: RoomBlur {
  package let luma: Raster<UInt8>, chroma: Raster<UInt8>
  package let shift: Int

  /// The maximum shift of samples that are averaged before they are linear.
  ///
  /// Measured on five backgrounds at 1080p against a disc in linear light: blocks of 4 by 4 pixels
  /// reach a PSNR of 40.6 dB in luma, and blocks of 8 by 8 reach 37.8 dB.
  private static let maxCodeShift = 2
  /// The maximum shift of a grid whose sigma may be as small as that of a Gaussian.
  ///
  /// Above it, a finer grid costs little, and the enlargement softens the disc's edge less: by 5 dB
  /// in the worst picture at a radius of 60.
  private static let maxCoarseShift = 3

  private let kernels: any RowKernels.Type
  private let colors: [ColorFactors], components: [ColorFactors]
  /// The logarithm of the samples per block of the grid, in each direction.
  private let blockShift: Int
  private let codes: (luma: Raster<UInt8>, chroma: Raster<UInt8>)?
  private let lumaReducer: BoxReducer, chromaReducer: BoxReducer
  private let reducedMatte: ReducedMatte
  private let weights: Raster<Float>
  /// A row of chroma with a sample per sample of luma: interleaved, then Cb and Cr.
  private let pairs: Raster<UInt8>, chromaCodes: Raster<UInt8>
  /// Rows of red, green and blue of the blocks, and their sums.
  private let light: Raster<Float>, sums: Raster<Float>
  private let starts: Raster<Int32>, means: Raster<Float>
  private let disc: Disc
  /// Weighted red, green and blue, and the weights, with repeated samples around them.
  private let planes: [Raster<Float>]
  private let column: Raster<Float>
  /// Rows of red, green, blue and weight after the blur.
  private let blurred: Raster<Float>
  private let chromaSums: Raster<UInt16>

  /// Returns the shift of the grid for a sigma in pixels of the frame.
  package static func shift(sigma: Double, sourceShift: Int) -> Int {
    let shift = BackgroundBlur.shift(sigma: sigma, sourceShift: sourceShift)
    let mayBeFiner = sigma < 2 * BackgroundBlur.minGridSigma * Double(1 << shift)
    return shift > maxCoarseShift && mayBeFiner ? shift - 1 : shift
  }

  /// Allocates buffers, with the parameters of `BackgroundBlur`.
  ///
  /// The disc has the variance of a Gaussian of `sigma`, so its radius is twice as large.
  package init(
    format: FrameFormat, sigma: Double, shift: Int, sourceShift: Int, grid: MatteGrid,
    kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.shift = shift
    colors = ColorFactors.colors(format.colorimetry)
    components = ColorFactors.codes(format.colorimetry)
    let codeShift = max(sourceShift, min(shift, Self.maxCodeShift))
    blockShift = shift - codeShift
    func reduced(_ size: Int, _ shift: Int) -> Int { BoxReducer.reduced(size, shift: shift) }
    let (width, height) = (reduced(format.width, shift), reduced(format.height, shift))
    luma = Raster(width: width, height: height, filledWith: 0)
    chroma = Raster(
      width: 2 * reduced(format.chromaWidth, shift), height: reduced(format.chromaHeight, shift),
      filledWith: 128)
    if codeShift > sourceShift {
      codes = (
        Raster(
          width: reduced(format.width, codeShift), height: reduced(format.height, codeShift),
          filledWith: 0),
        Raster(
          width: 2 * reduced(format.chromaWidth, codeShift),
          height: reduced(format.chromaHeight, codeShift), filledWith: 128)
      )
    } else {
      codes = nil
    }
    lumaReducer = BoxReducer(
      width: reduced(format.width, sourceShift), shift: codeShift - sourceShift, kernels: kernels)
    chromaReducer = BoxReducer(
      width: 2 * reduced(format.chromaWidth, sourceShift), shift: codeShift - sourceShift,
      kernels: kernels)
    reducedMatte = ReducedMatte(
      of: grid, width: width, height: height, step: Double(1 << shift), kernels: kernels)
    weights = Raster(width: width, height: height, filledWith: 1)
    pairs = Raster(width: 2 * (width << blockShift), height: 2, filledWith: 128)
    chromaCodes = Raster(width: width << blockShift, height: 2, filledWith: 128)
    light = Raster(width: width << blockShift, height: 3, filledWith: 0)
    sums = Raster(width: width << blockShift, height: 3, filledWith: 0)
    starts = Raster(width: width, height: 1, filledWith: 0)
    for x in 0..<width { unsafe starts.base[x] = Int32(x << blockShift) }
    means = Raster(
      width: width << blockShift, height: 1, filledWith: 1 / Float(1 << (2 * blockShift)))
    let disc = Disc(radius: 2 * BackgroundBlur.gridSigma(sigma, shift: shift))
    self.disc = disc
    planes = (0..<4).map { _ in
      Raster(width: width + 2 * disc.reach, height: height + 2 * disc.reach, filledWith: 0)
    }
    column = Raster(width: width + 2 * disc.reach, height: 1, filledWith: 0)
    blurred = Raster(width: width, height: 4, filledWith: 0)
    chromaSums = Raster(width: 2 * width, height: 1, filledWith: 0)
  }

  package func blur(_ source: Frame, without matte: Matte?) {
    if let matte {
      reducedMatte.reduce(matte)
      BackgroundBlur.room(reducedMatte.samples, into: weights, kernels)
    } else {
      weights.fill(with: 1)
    }
    var codes = source
    if let reduced = self.codes {
      lumaReducer.reduce(source.luma, into: reduced.luma)
      chromaReducer.reducePairs(source.chroma, into: reduced.chroma)
      codes = Frame(luma: reduced.luma.plane, chroma: reduced.chroma.plane)
    }
    for y in 0..<luma.height { gather(codes, y) }
    for plane in planes { repeatBorder(plane) }
    for y in 0..<luma.height { spread(y) }
  }

  /// Writes row `y` of `planes`.
  private func gather(_ codes: Frame, _ y: Int) {
    let margin = disc.reach
    let room = unsafe weights.row(y)
    unsafe (planes[3].row(margin + y) + margin).update(from: room, count: weights.width)
    for row in 0..<1 << blockShift {
      let rows = row == 0 ? sums : light
      let source = min(y << blockShift + row, codes.luma.height - 1)
      let width = codes.luma.width
      unsafe kernels.enlargePairs(codes.chroma.row(source / 2), 1, pairs.base, width)
      unsafe kernels.deinterleaveRow(pairs.base, chromaCodes.row(0), chromaCodes.row(1), width)
      for channel in 0..<3 {
        let line = unsafe rows.row(channel)
        unsafe kernels.lightRow(
          codes.luma.row(source), chromaCodes.row(0), chromaCodes.row(1), colors[channel], line,
          width)
        for x in width..<rows.width { unsafe line[x] = line[width - 1] }
        if row > 0 { unsafe kernels.accumulate(sums.row(channel), line, 1, sums.width) }
      }
    }
    for channel in 0..<3 {
      let out = unsafe planes[channel].row(margin + y) + margin
      if blockShift == 0 {
        unsafe out.update(from: sums.row(channel), count: weights.width)
      } else {
        unsafe kernels.filterColumns(
          sums.row(channel), starts.base, means.base, 1 << blockShift, out, weights.width)
      }
      unsafe kernels.scaleRow(out, room, weights.width)
    }
  }

  /// Repeats the samples at the edges of the grid.
  private func repeatBorder(_ plane: Raster<Float>) {
    let margin = disc.reach
    let (width, height) = (weights.width, weights.height)
    for y in margin..<margin + height {
      let row = unsafe plane.row(y)
      unsafe row.update(repeating: row[margin], count: margin)
      unsafe (row + margin + width).update(repeating: row[margin + width - 1], count: margin)
    }
    for y in 0..<margin {
      unsafe plane.row(y).update(from: plane.row(margin), count: plane.width)
      unsafe plane.row(margin + height + y).update(
        from: plane.row(margin + height - 1), count: plane.width)
    }
  }

  /// Blurs row `y`, and writes it to `luma` and `chroma`.
  private func spread(_ y: Int) {
    let margin = disc.reach
    for (channel, plane) in planes.enumerated() {
      unsafe kernels.sumDisc(
        plane.row(margin + y) + margin, plane.width, disc.lengths.base, disc.tips.base,
        disc.shares.base, disc.lengths.width - 1, column.base, blurred.row(channel), luma.width)
    }
    for channel in 0..<3 {
      unsafe kernels.encodeLight(
        blurred.row(channel), blurred.row(3), light.row(channel), luma.width)
    }
    for component in 0..<3 {
      unsafe kernels.codeRow(
        light.row(0), light.row(1), light.row(2), components[component],
        component == 0 ? luma.row(y) : chromaCodes.row(component - 1), luma.width)
    }
    let row = unsafe pairs.row(y % 2)
    unsafe kernels.interleaveRows(chromaCodes.row(0), chromaCodes.row(1), row, luma.width)
    if y % 2 == 1 || y == luma.height - 1 {
      unsafe kernels.sumTwoRows(chromaSums.base, pairs.base, row, chromaSums.width)
      unsafe kernels.averageColumnPairs(chromaSums.base, luma.width, 1, chroma.row(y / 2))
    }
  }
}

/// The columns of a disc, for `RowKernels.sumDisc`.
private struct Disc {
  let lengths: Raster<Int32>, tips: Raster<Float>, shares: Raster<Float>
  /// The distance of the farthest sample, in samples.
  let reach: Int

  /// Creates a disc with a radius in samples.
  ///
  /// Each column has the height of the disc, averaged over the column's width.
  init(radius: Double) {
    let count = Int((radius + 0.5).rounded(.up))
    lengths = Raster(width: count, height: 1, filledWith: 0)
    tips = Raster(width: count, height: 1, filledWith: 0)
    shares = Raster(width: count, height: 1, filledWith: 1)
    // The area of half a disc to the left of `x`, up to a constant.
    func area(_ x: Double) -> Double {
      let x = min(x, radius)
      return (x * (radius * radius - x * x).squareRoot() + radius * radius * asin(x / radius)) / 2
    }
    for d in 0..<count {
      let half = area(Double(d) + 0.5) - area(max(Double(d) - 0.5, -radius))
      let length = max(half - 0.5, 0)
      unsafe lengths.base[d] = Int32(length)
      unsafe tips.base[d] = Float(length - length.rounded(.down))
      unsafe shares.base[d] = Float(min(2 * half, 1))
    }
    // The column in the middle is both the left and the right one.
    unsafe shares.base[0] /= 2
    reach = unsafe max(count - 1, Int(lengths.base[0]) + 1)
  }
}
