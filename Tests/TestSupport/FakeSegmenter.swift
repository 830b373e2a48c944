import InferenceTypes

/// A segmenter without a network.
///
/// A function computes the matte from the input tensor.
///
/// Not thread-safe, like every segmenter.
@safe public final class FakeSegmenter: Segmenter {
  /// The alpha of a pixel, from its RGB in 0 to 1 and its place in the tensor.
  public typealias Alpha =
    @Sendable (
      _ red: Float, _ green: Float, _ blue: Float, _ x: Int, _ y: Int
    ) -> Float

  /// The format of its input tensor.
  public let inputFormat: TensorFormat
  /// The declared accuracy of the matte at the edge of the person.
  public let edge: MatteEdge
  /// The input tensor, owned by this object and valid for its lifetime.
  public let inputTensor: UnsafeMutablePointer<Float>
  /// How often `infer` was called.
  public private(set) var inferences = 0
  /// How often `reset` was called.
  public private(set) var timesForgotten = 0
  /// Thrown by `infer` while it is set.
  public var failure: SegmentationError?
  /// The function that computes the matte.
  public var alpha: Alpha

  private let matte: UnsafeMutablePointer<Float>
  /// Makes a segmenter.
  ///
  /// By default, red pixels are a person.
  public init(
    format: TensorFormat = TensorFormat(width: 32, height: 18, layout: .planar, fit: .stretch),
    edge: MatteEdge = .approximate,
    alpha: @escaping Alpha = { red, green, _, _, _ in red - green > 0.3 ? 1 : 0 }
  ) {
    inputFormat = format
    self.edge = edge
    self.alpha = alpha
    let count = format.width * format.height
    unsafe inputTensor = .allocate(capacity: 3 * count)
    unsafe inputTensor.initialize(repeating: 0, count: 3 * count)
    unsafe matte = .allocate(capacity: count)
    unsafe matte.initialize(repeating: 0, count: count)
  }

  deinit {
    unsafe inputTensor.deallocate()
    unsafe matte.deallocate()
  }

  /// Computes the matte, or throws `failure`.
  public func infer() throws(SegmentationError) -> RawMatte {
    inferences += 1
    if let failure { throw failure }
    let (width, height) = (inputFormat.width, inputFormat.height)
    let isPlanar = inputFormat.layout == .planar
    let step = isPlanar ? 1 : 3
    let component = isPlanar ? width * height : 1
    for y in 0..<height {
      for x in 0..<width {
        let pixel = unsafe inputTensor + (y * width + x) * step
        unsafe matte[y * width + x] = alpha(
          pixel[0], pixel[component], pixel[2 * component], x, y)
      }
    }
    return unsafe RawMatte(base: UnsafePointer(matte), width: width, height: height)
  }

  /// Counts the call.
  public func reset() {
    timesForgotten += 1
  }
}
