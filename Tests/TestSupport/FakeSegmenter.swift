import Matting

/// A segmenter without a network.
///
/// A function computes the matte from the input tensor.
///
/// Not thread-safe, like every segmenter.
@safe package final class FakeSegmenter: Segmenter {
  /// The alpha of a pixel, from its RGB in 0 to 1 and its place in the tensor.
  package typealias Alpha =
    @Sendable (_ red: Float, _ green: Float, _ blue: Float, _ x: Int, _ y: Int) -> Float

  package let inputFormat: TensorFormat
  package let edge: MatteEdge
  package private(set) var inferences = 0
  /// How often `reset` was called.
  package private(set) var timesForgotten = 0
  /// Thrown by `infer` while it is set.
  package var failure: SegmentationError?
  /// The function that computes the matte.
  package var alpha: Alpha
  private let input: ExactMemory<Float>
  private let matte: ExactMemory<Float>

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe input.base }

  /// Finds red pixels.
  package static let red: Alpha = { red, green, _, _, _ in red - green > 0.3 ? 1 : 0 }

  package init(format: TensorFormat, edge: MatteEdge = .approximate, alpha: @escaping Alpha = red) {
    (inputFormat, self.edge, self.alpha) = (format, edge, alpha)
    let count = format.width * format.height
    (input, matte) = (ExactMemory(3 * count, filledWith: 0), ExactMemory(count, filledWith: 0))
  }

  package convenience init(
    width: Int = 32, height: Int = 18, edge: MatteEdge = .approximate,
    alpha: @escaping Alpha = red
  ) {
    self.init(format: TensorFormat(width: width, height: height), edge: edge, alpha: alpha)
  }

  package func infer() throws(SegmentationError) -> RawMatte {
    inferences += 1
    if let failure { throw failure }
    let (width, height) = (inputFormat.width, inputFormat.height)
    let (step, component) = inputFormat.layout == .planar ? (1, width * height) : (3, 1)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = unsafe inputTensor + (y * width + x) * step
        unsafe matte.base[y * width + x] = alpha(
          pixel[0], pixel[component], pixel[2 * component], x, y)
      }
    }
    return unsafe RawMatte(base: UnsafePointer(matte.base), width: width, height: height)
  }

  package func reset() { timesForgotten += 1 }
}
