import Matting
import PixelTypes
import Processor

/// A blur of the real background without the person.
package typealias RoomBlur = BlurredRoom & BlursRoom

/// The method that every `RoomBlur` implements.
package protocol BlursRoom {
  /// Blurs the background of a frame that is reduced as the type requires.
  ///
  /// Without a matte, blurs the whole frame.
  func blur(_ source: Frame, without matte: Matte?)
}

/// The memory of a `RoomBlur`.
package class BlurredRoom {
  /// The blurred luma, with one sample per `1 << shift` pixels.
  final let luma: Raster<UInt8>
  /// The blurred chroma, with one pair per `1 << shift` pairs of the frame.
  final let chroma: Raster<UInt8>
  /// The binary logarithm of the distance between samples, in pixels of the frame.
  package final let shift: Int
  /// The certainty of each sample of `luma` of being background.
  final let weights: Raster<Float>
  private let matte: ReducedMatte

  init(format: FrameFormat, shift: Int, grid: MatteGrid) {
    self.shift = shift
    let width = BoxReducer.reduced(format.width, shift: shift)
    let height = BoxReducer.reduced(format.height, shift: shift)
    luma = Raster(width: width, height: height, filledWith: 0)
    chroma = Raster(
      width: 2 * BoxReducer.reduced(format.chromaWidth, shift: shift),
      height: BoxReducer.reduced(format.chromaHeight, shift: shift), filledWith: 128)
    weights = Raster(width: width, height: height, filledWith: 1)
    matte = ReducedMatte(of: grid, format, shift: shift)
  }

  /// Computes `weights`, and returns the alpha of the samples.
  @discardableResult final func weigh(by matte: Matte?) -> Raster<UInt8>? {
    guard let matte else {
      weights.fill(with: 1)
      return nil
    }
    self.matte.reduce(matte)
    Self.fillWeights(of: self.matte.samples, into: weights)
    return self.matte.samples
  }

  /// The alpha from which a sample has no weight as background.
  ///
  /// A sample stands for a block of pixels, so a sample at the edge contains a part of the person.
  static let personShare: Float = 0.25
  /// The minimum weight, which prevents a division by zero deep inside the person.
  static let minWeight: Float = 1e-3

  /// Computes the certainty of being background.
  static func fillWeights(of alpha: Raster<UInt8>, into weights: Raster<Float>) {
    unsafe kernels.roomWeights(
      alpha.base, 1 / (255 * personShare), minWeight, weights.base, alpha.width * alpha.height)
  }
}

/// Blurs the real background with a Gaussian.
///
/// Uses normalised convolution (Knutsson and Westin 1993):
/// 1. The frame is reduced until a small Gaussian suffices.
/// 2. Each sample is weighted by its certainty of being background.
/// 3. The weighted samples and the weights are filtered separately.
/// 4. The filtered samples are divided by the filtered weights.
///
/// The area behind the person is thus filled with the colours around it, without a glow from the
/// person.
package final class BackgroundBlur: RoomBlur {
  /// The minimum sigma of the Gaussian on the grid.
  ///
  /// It limits the reduction: with a smaller sigma, the bilinear enlargement is visible.
  static let minGridSigma = 1.5

  private let lumaReducer: BoxReducer, chromaReducer: BoxReducer
  private let halfReducer: BoxReducer
  private let halfMatte: Raster<UInt8>
  private let lumaFilter: SeparableGaussian, chromaFilter: SeparableGaussian
  private let weightFilter: SeparableGaussian, halfWeightFilter: SeparableGaussian
  private let lumaSums: Raster<Float>, chromaSums: Raster<Float>
  private let halfWeights: Raster<Float>

  /// The minimum sigma that hides the background, in pixels.
  ///
  /// It applies twice: to the sigma for a frame of 720 lines, and to the sigma that is scaled to
  /// this frame.
  ///
  /// Measured on blurred portraits and pages with a height of 16 to 720 pixels. A face of 64 pixels
  /// has no features, and text of 20 pixels cannot be read. With a sigma of 3, the face can be
  /// recognized and the text can be read. Chroma has half the frame's size, and so half the sigma
  /// in its own samples.
  private static let minSigma = 4.0
  private static let maxRadius = 100.0

  /// Returns the sigma in pixels of this frame for a radius in pixels of a 720-line frame.
  ///
  /// A radius that is too small, or not a number, counts as the minimum.
  package static func sigma(radius: Double, frameHeight: Int) -> Double {
    let radius = radius > minSigma ? min(radius, maxRadius) : minSigma
    return max(radius * Double(frameHeight) / 720, minSigma)
  }

  /// Returns the shift of the grid for a sigma in pixels of the frame.
  ///
  /// The result is at most `sourceShift + BoxReducer.maxShift`.
  package static func shift(sigma: Double, sourceShift: Int) -> Int {
    var shift = 0
    while shift < sourceShift + BoxReducer.maxShift,
      sigma / Double(2 << shift) >= minGridSigma
    {
      shift += 1
    }
    return shift
  }

  /// Returns the sigma of the Gaussian in samples of the grid.
  ///
  /// Subtracts the blur of the other two steps: the variance is 1/12 for the reduction (a box), and
  /// 1/6 for the bilinear enlargement (a triangle).
  static func gridSigma(_ sigma: Double, shift: Int) -> Double {
    let step = Double(1 << shift)
    let variance = sigma * sigma / (step * step) - (shift == 0 ? 0 : 0.25)
    return max(variance, 0.01).squareRoot()
  }

  /// Allocates buffers for frames of `format` with mattes on `grid`.
  ///
  /// The planes to blur must be reduced by `1 << sourceShift`, with `sourceShift` at most `shift`.
  package init(format: FrameFormat, sigma: Double, shift: Int, sourceShift: Int, grid: MatteGrid) {
    func reduced(_ size: Int, _ shift: Int) -> Int { BoxReducer.reduced(size, shift: shift) }
    let (width, height) = (reduced(format.width, shift), reduced(format.height, shift))
    let chromaWidth = reduced(format.chromaWidth, shift)
    let chromaHeight = reduced(format.chromaHeight, shift)
    lumaReducer = BoxReducer(
      width: reduced(format.width, sourceShift), shift: shift - sourceShift)
    chromaReducer = BoxReducer(
      width: 2 * reduced(format.chromaWidth, sourceShift), shift: shift - sourceShift)
    halfReducer = BoxReducer(width: width, shift: 1)
    halfMatte = Raster(width: chromaWidth, height: chromaHeight, filledWith: 0)
    lumaSums = Raster(width: width, height: height, filledWith: 0)
    chromaSums = Raster(width: 2 * chromaWidth, height: chromaHeight, filledWith: 0)
    halfWeights = Raster(width: chromaWidth, height: chromaHeight, filledWith: 1)
    let lumaSigma = Self.gridSigma(sigma, shift: shift)
    let chromaSigma = Self.gridSigma(sigma / 2, shift: shift)
    func filter(_ width: Int, _ height: Int, _ step: Int, _ sigma: Double) -> SeparableGaussian {
      SeparableGaussian(width: width, height: height, step: step, sigma: (sigma, sigma))
    }
    lumaFilter = filter(width, height, 1, lumaSigma)
    weightFilter = filter(width, height, 1, lumaSigma)
    chromaFilter = filter(2 * chromaWidth, chromaHeight, 2, chromaSigma)
    halfWeightFilter = filter(chromaWidth, chromaHeight, 1, chromaSigma)
    super.init(format: format, shift: shift, grid: grid)
  }

  package func blur(_ source: Frame, without matte: Matte?) {
    lumaReducer.reduce(source.luma, into: luma)
    chromaReducer.reduce(source.chroma, ofPairs: true, into: chroma)
    if let alpha = weigh(by: matte) {
      halfReducer.reduce(alpha.plane, into: halfMatte)
      Self.fillWeights(of: halfMatte, into: halfWeights)
    } else {
      halfWeights.fill(with: 1)
    }
    Self.blur(luma, weights, 1, lumaSums, lumaFilter, weightFilter)
    Self.blur(chroma, halfWeights, 2, chromaSums, chromaFilter, halfWeightFilter)
  }

  /// Blurs samples, or pairs of samples, that have weights.
  private static func blur(
    _ samples: Raster<UInt8>, _ weights: Raster<Float>, _ step: Int, _ sums: Raster<Float>,
    _ filter: SeparableGaussian, _ weightFilter: SeparableGaussian
  ) {
    for y in 0..<samples.height {
      unsafe kernels.weighRow(samples.row(y), weights.row(y), step, sums.row(y), samples.width)
    }
    filter.apply(to: sums)
    weightFilter.apply(to: weights)
    for y in 0..<samples.height {
      unsafe kernels.unweighRow(sums.row(y), weights.row(y), step, samples.row(y), samples.width)
    }
  }
}
