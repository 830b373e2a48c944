import Matting
import TestSupport

/// A deterministic network for golden sequences: it finds people by their colours.
///
/// Not thread-safe, like every segmenter.
@safe final class GoldenNetwork: Segmenter {
  let inputFormat: TensorFormat
  let edge: MatteEdge
  let remembersPast: Bool
  /// Thrown by `infer` while it is set.
  var failure: SegmentationError?

  private let alpha: (_ red: Float, _ green: Float, _ blue: Float) -> Float
  private let input: ExactMemory<Float>
  private let matte: ExactMemory<Float>

  var inputTensor: UnsafeMutablePointer<Float> { unsafe input.base }

  private init(
    width: Int, height: Int, edge: MatteEdge, remembersPast: Bool,
    alpha: @escaping (_ red: Float, _ green: Float, _ blue: Float) -> Float
  ) {
    inputFormat = TensorFormat(
      width: width, height: height, layout: remembersPast ? .planar : .interleaved, fit: .stretch,
      filter: remembersPast ? .lanczos : .triangle)
    (self.edge, self.remembersPast, self.alpha) = (edge, remembersPast, alpha)
    input = ExactMemory(3 * width * height, filledWith: 0)
    matte = ExactMemory(width * height, filledWith: 0)
  }

  /// The network for whole frames of `fast`: it mistakes objects for people.
  static func landscape() -> GoldenNetwork {
    GoldenNetwork(width: 64, height: 36, edge: .approximate, remembersPast: false) {
      red, _, blue in min(max((red - blue - 0.1) * 6, 0), 1)
    }
  }

  /// The network for crops of `fast`.
  static func square() -> GoldenNetwork {
    GoldenNetwork(width: 64, height: 64, edge: .approximate, remembersPast: false) {
      red, _, blue in min(max((red - blue - 0.3) * 6, 0), 1)
    }
  }

  /// A network with a memory and an exact edge, which misses yellow clothes if `losesYellow`.
  static func matting(height: Int, losesYellow: Bool = false) -> GoldenNetwork {
    GoldenNetwork(
      width: height * 16 / 9, height: height, edge: .exact, remembersPast: true
    ) { red, green, blue in
      losesYellow && green > 0.28 ? 0 : min(max((red - blue - 0.2) * 5, 0), 1)
    }
  }

  func infer() throws(SegmentationError) -> RawMatte {
    if let failure { throw failure }
    let (width, height) = (inputFormat.width, inputFormat.height)
    let isPlanar = inputFormat.layout == .planar
    let (step, component) = isPlanar ? (1, width * height) : (3, 1)
    for i in 0..<width * height {
      let pixel = unsafe inputTensor + i * step
      let found = unsafe alpha(pixel[0], pixel[component], pixel[2 * component])
      unsafe matte.base[i] = remembersPast ? (3 * found + matte.base[i]) / 4 : found
    }
    return unsafe RawMatte(base: UnsafePointer(matte.base), width: width, height: height)
  }

  func reset() { unsafe matte.base.update(repeating: 0, count: matte.count) }
}
