import Matting
import PixelTypes

/// Blurs the room and leaves the person out of it.
///
/// The frame is shrunk so far that a small Gaussian does, each sample is weighted by how surely it
/// is background, numerator and weights are filtered apart and divided: what the person hides is
/// filled from the room around, and the person does not glow into it (normalised convolution,
/// Knutsson and Westin 1993).
package final class BackgroundBlur {
  /// The blurred planes, a sample for each `1 << shift` pixels.
  package let luma: Raster<UInt8>, chroma: Raster<UInt8>
  /// The grid's step is `1 << shift` pixels.
  package let shift: Int

  /// The share of the person in a sample from which on it does not count as room at all.
  ///
  /// A sample stands for a block of pixels, so one on the edge has something of the person in it.
  private static let personShare: Float = 0.25
  /// Keeps the division defined far from any room, where the result is not seen.
  private static let leastWeight: Float = 1e-3
  /// The shrink is chosen so that the Gaussian's sigma on the grid is at least this: below it the
  /// bilinear enlargement shows.
  private static let leastGridSigma = 1.5

  private let kernels: any RowKernels.Type
  private let sourceShift: Int
  private let lumaReducer: BoxReducer, chromaReducer: BoxReducer
  private let halfReducer: BoxReducer
  private let reducedMatte: ReducedMatte
  private let halfMatte: Raster<UInt8>
  private let lumaFilter: SeparableGaussian, chromaFilter: SeparableGaussian
  private let weightFilter: SeparableGaussian, halfWeightFilter: SeparableGaussian
  private let lumaSums: Raster<Float>, chromaSums: Raster<Float>
  private let weights: Raster<Float>, halfWeights: Raster<Float>

  /// A blur that hides a room has at least this sigma, in pixels of a 720-line frame and in pixels of
  /// this frame.
  ///
  /// Seen in blurred portraits and pages of 16 to 720 lines: what is left of a face of 64 lines has no
  /// features, and writing of 20 lines cannot be read. With 3 both can be made out. Chroma has half
  /// the frame's size, and so half the sigma in its own samples.
  private static let leastSigma = 4.0
  private static let greatestRadius = 100.0

  /// Sigma in pixels of this frame for a radius in pixels of a 720-line frame.
  ///
  /// A radius that is too small, or no number, is as small as may be.
  package static func sigma(radius: Double, frameHeight: Int) -> Double {
    let radius = radius > leastSigma ? min(radius, greatestRadius) : leastSigma
    return max(radius * Double(frameHeight) / 720, leastSigma)
  }

  /// The step of the grid for a sigma in pixels of the frame, when the coarsest of its sources has
  /// a sample for each `1 << sourceShift` pixels.
  package static func shift(sigma: Double, sourceShift: Int) -> Int {
    var shift = 0
    while shift < sourceShift + BoxReducer.greatestShift,
      sigma / Double(2 << shift) >= leastGridSigma
    {
      shift += 1
    }
    return shift
  }

  /// What is left for the Gaussian, in samples of the grid: shrinking by blocks and enlarging
  /// bilinearly blur too, with the variances of a box of one sample, 1/12, and of a triangle, 1/6.
  private static func gridSigma(_ sigma: Double, shift: Int) -> Double {
    let step = Double(1 << shift)
    let variance = sigma * sigma / (step * step) - (shift == 0 ? 0 : 0.25)
    return max(variance, 0.01).squareRoot()
  }

  /// Makes buffers for frames of `format` whose matte lies on `grid`.
  ///
  /// The planes to blur are given as reduced by `1 << sourceShift`, at most `shift`.
  package init(
    format: FrameFormat, sigma: Double, shift: Int, sourceShift: Int, grid: MatteGrid,
    kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.shift = shift
    self.sourceShift = sourceShift
    let width = BoxReducer.reduced(format.width, shift: shift)
    let height = BoxReducer.reduced(format.height, shift: shift)
    let chromaWidth = BoxReducer.reduced(format.chromaWidth, shift: shift)
    let chromaHeight = BoxReducer.reduced(format.chromaHeight, shift: shift)
    luma = Raster(width: width, height: height, filledWith: 0)
    chroma = Raster(width: 2 * chromaWidth, height: chromaHeight, filledWith: 128)
    lumaReducer = BoxReducer(
      width: BoxReducer.reduced(format.width, shift: sourceShift), shift: shift - sourceShift,
      kernels: kernels)
    chromaReducer = BoxReducer(
      width: 2 * BoxReducer.reduced(format.chromaWidth, shift: sourceShift),
      shift: shift - sourceShift, kernels: kernels)

    reducedMatte = ReducedMatte(
      of: grid, width: width, height: height, step: Double(1 << shift), kernels: kernels)
    halfReducer = BoxReducer(width: width, shift: 1, kernels: kernels)
    halfMatte = Raster(width: chromaWidth, height: chromaHeight, filledWith: 0)

    lumaSums = Raster(width: width, height: height, filledWith: 0)
    weights = Raster(width: width, height: height, filledWith: 1)
    chromaSums = Raster(width: 2 * chromaWidth, height: chromaHeight, filledWith: 0)
    halfWeights = Raster(width: chromaWidth, height: chromaHeight, filledWith: 1)
    let lumaSigma = Self.gridSigma(sigma, shift: shift)
    let chromaSigma = Self.gridSigma(sigma / 2, shift: shift)
    func filter(_ width: Int, _ height: Int, _ step: Int, _ sigma: Double) -> SeparableGaussian {
      SeparableGaussian(
        width: width, height: height, step: step, sigma: (sigma, sigma), kernels: kernels)
    }
    lumaFilter = filter(width, height, 1, lumaSigma)
    weightFilter = filter(width, height, 1, lumaSigma)
    chromaFilter = filter(2 * chromaWidth, chromaHeight, 2, chromaSigma)
    halfWeightFilter = filter(chromaWidth, chromaHeight, 1, chromaSigma)
  }

  /// Blurs the planes of a frame, given as reduced by `1 << sourceShift`; without a matte, all of it.
  package func blur(_ source: Frame, without matte: Matte?) {
    lumaReducer.reduce(source.luma, into: luma)
    chromaReducer.reducePairs(source.chroma, into: chroma)
    weigh(by: matte)
    for y in 0..<luma.height {
      unsafe kernels.weighRow(luma.row(y), weights.row(y), 1, lumaSums.row(y), luma.width)
    }
    for y in 0..<chroma.height {
      unsafe kernels.weighRow(
        chroma.row(y), halfWeights.row(y), 2, chromaSums.row(y), chroma.width)
    }
    lumaFilter.apply(to: lumaSums)
    weightFilter.apply(to: weights)
    chromaFilter.apply(to: chromaSums)
    halfWeightFilter.apply(to: halfWeights)
    for y in 0..<luma.height {
      unsafe kernels.unweighRow(lumaSums.row(y), weights.row(y), 1, luma.row(y), luma.width)
    }
    for y in 0..<chroma.height {
      unsafe kernels.unweighRow(
        chromaSums.row(y), halfWeights.row(y), 2, chroma.row(y), chroma.width)
    }
  }

  private func weigh(by matte: Matte?) {
    guard let matte else {
      weights.fill(with: 1)
      halfWeights.fill(with: 1)
      return
    }
    reducedMatte.reduce(matte)
    halfReducer.reduce(reducedMatte.samples.plane, into: halfMatte)
    room(reducedMatte.samples, into: weights)
    room(halfMatte, into: halfWeights)
  }

  private func room(_ alpha: Raster<UInt8>, into weights: Raster<Float>) {
    unsafe kernels.roomWeights(
      alpha.base, 1 / (255 * Self.personShare), Self.leastWeight, weights.base,
      alpha.width * alpha.height)
  }
}
