import InferenceTypes
import PixelTypes

/// The engine's formulas for a first frame, sample by sample and without intermediate rounding.
public struct ReferenceEngine {
  private let format: FrameFormat
  private let luma: RealPlane, cb: RealPlane, cr: RealPlane
  /// The input of the network: stretched, with a triangle filter.
  private let tensor: TensorFormat
  /// The network, which computes alpha from red, green and blue.
  private let alpha: (Double, Double, Double) -> Double

  /// A frame of three planes.
  public typealias Planes = (luma: RealPlane, cb: RealPlane, cr: RealPlane)

  /// Makes a reference for an input frame and a network.
  public init(
    _ picture: TestPicture, tensor: TensorFormat,
    alpha: @escaping (Double, Double, Double) -> Double
  ) {
    let (frame, format) = (picture.frame, picture.format)
    func chroma(_ part: Int) -> RealPlane {
      RealPlane(format.chromaWidth, format.chromaHeight) { x, y in
        unsafe Double(frame.chroma.row(y)[2 * x + part])
      }
    }
    self.format = format
    luma = RealPlane(format.width, format.height) { x, y in unsafe Double(frame.luma.row(y)[x]) }
    cb = chroma(0)
    cr = chroma(1)
    self.tensor = tensor
    self.alpha = alpha
  }

  /// The exponent of the largest power of two by which the frame can be shrunk and still cover the
  /// tensor.
  private var reduction: Int {
    (0...4).last { format.width >> $0 >= tensor.width && format.height >> $0 >= tensor.height } ?? 0
  }

  /// The matte, 0 to 1, with a sample for each sample of the reduced frame.
  private var matte: RealPlane {
    func brought(_ plane: RealPlane, _ step: Int) -> RealPlane {
      let scale = Double(step << reduction)
      return plane.shrunk(reduction).filtered(
        tensor.width, tensor.height, extentX: Double(format.width) / scale,
        extentY: Double(format.height) / scale)
    }
    let (y, b, r) = (brought(luma, 1), brought(cb, 2), brought(cr, 2))
    let (kr, kb) = format.colorimetry.lumaWeights
    let (offset, lumaSpan, chromaSpan) = format.colorimetry.scale
    func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }
    let found = RealPlane(tensor.width, tensor.height) { x, row in
      let level = (y[x, row] - offset) / lumaSpan
      let red = level + 2 * (1 - kr) * (r[x, row] - 128) / chromaSpan
      let blue = level + 2 * (1 - kb) * (b[x, row] - 128) / chromaSpan
      let green = (level - kr * red - kb * blue) / (1 - kr - kb)
      return clamped(alpha(clamped(red), clamped(green), clamped(blue)))
    }
    let (reduced, step) = (luma.shrunk(reduction), Double(1 << reduction))
    return found.scaled(
      reduced.width, reduced.height, stepX: step * Double(tensor.width) / Double(format.width),
      stepY: step * Double(tensor.height) / Double(format.height))
  }

  /// The matte for the luma samples, with rows of an even length, and the matte for the chroma
  /// samples.
  private func alphas() -> (luma: RealPlane, chroma: RealPlane) {
    let matte = matte
    let step = 1 / Double(1 << reduction)
    let luma = matte.scaled(2 * format.chromaWidth, format.height, stepX: step, stepY: step)
    let wide = matte.scaled(
      2 * format.chromaWidth, format.chromaHeight, stepX: step, stepY: 2 * step)
    let chroma = RealPlane(format.chromaWidth, format.chromaHeight) { x, y in
      (wide[2 * x, y] + wide[2 * x + 1, y]) / 2
    }
    return (luma, chroma)
  }

  /// The person over another picture.
  public func composed(over background: Planes) -> Planes {
    let alpha = alphas()
    func blend(_ plane: RealPlane, _ other: RealPlane, _ alpha: RealPlane) -> RealPlane {
      RealPlane(plane.width, plane.height) { x, y in
        plane[x, y] * alpha[x, y] + other[x, y] * (1 - alpha[x, y])
      }
    }
    return (
      blend(luma, background.luma, alpha.luma), blend(cb, background.cb, alpha.chroma),
      blend(cr, background.cr, alpha.chroma)
    )
  }

  /// The room blurred without the person, at the frame's size.
  public func blurredRoom(radius: Double) -> Planes {
    let sigma = radius * Double(format.height) / 720
    // Shrinks while the Gaussian is at least one and a half samples wide.
    let shift = (0...8).last { $0 == 0 || sigma / Double(1 << $0) >= 1.5 } ?? 0
    let step = Double(1 << shift)
    func gridSigma(_ sigma: Double) -> Double {
      (sigma * sigma / (step * step) - (shift == 0 ? 0 : 0.25)).squareRoot()
    }
    let matte = matte
    // Averages blocks if the room is shrunk more than the matte.
    let matteShift = max(shift - reduction, 0)
    let matteStep = step / Double(1 << (reduction + matteShift))
    let person = matte.shrunk(matteShift).scaled(
      luma.shrunk(shift).width, luma.shrunk(shift).height, stepX: matteStep, stepY: matteStep)
    func weights(_ person: RealPlane) -> RealPlane {
      RealPlane(person.width, person.height) { x, y in max(1 - person[x, y] / 0.25, 1e-3) }
    }
    func blurred(_ plane: RealPlane, _ weights: RealPlane, _ sigma: Double) -> RealPlane {
      let small = plane.shrunk(shift)
      let sums = RealPlane(small.width, small.height) { x, y in small[x, y] * weights[x, y] }
        .blurred(sigma: sigma)
      let total = weights.blurred(sigma: sigma)
      return RealPlane(small.width, small.height) { x, y in sums[x, y] / total[x, y] }
        .scaled(plane.width, plane.height, stepX: 1 / step, stepY: 1 / step)
    }
    let (all, half) = (weights(person), weights(person.shrunk(1)))
    return (
      blurred(luma, all, gridSigma(sigma)), blurred(cb, half, gridSigma(sigma / 2)),
      blurred(cr, half, gridSigma(sigma / 2))
    )
  }
}
