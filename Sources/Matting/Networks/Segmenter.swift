import PixelTypes

/// A network that is ready to run and finds the person in successive pictures.
///
/// Not thread-safe.
public protocol Segmenter: AnyObject {
  /// The format of the input tensor.
  var inputFormat: TensorFormat { get }

  /// The input tensor of `3 * width * height` floats, to be written before `infer`.
  ///
  /// The pointer is valid until the next `infer` returns. Read the property again for each picture.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on the contents of `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails. The recurrent state is reset then.
  func infer() throws(SegmentationError) -> RawMatte

  /// The accuracy of the matte along the edge of the person.
  var edge: MatteEdge { get }

  /// Whether the network has a recurrent state that depends on earlier pictures.
  var remembersPast: Bool { get }

  /// Resets the recurrent state.
  func reset()

  /// Moves the recurrent state from the part `old` of the frame to the part `new`.
  ///
  /// Call this before the first picture of the new part.
  func movePast(from old: PixelRegion, to new: PixelRegion)

  /// Returns the CPU time of helper threads for this network since the last call, in nanoseconds.
  ///
  /// Helper threads are all threads that computed for the network without calling `infer`.
  func consumeHelperTime() -> UInt64
}

extension Segmenter {
  /// The default, because most networks are not matting networks.
  public var edge: MatteEdge { .approximate }

  /// The default, because most networks are stateless.
  public var remembersPast: Bool { false }

  /// Does nothing, for networks without a recurrent state.
  public func movePast(from old: PixelRegion, to new: PixelRegion) {}

  /// Returns 0, for networks without helper threads.
  public func consumeHelperTime() -> UInt64 { 0 }
}

/// The output matte of a network: one float per pixel, 0 for the background and 1 for the person.
///
/// The matte covers the same area as the input tensor.
///
/// Safety: `base` points into the segmenter's output tensor. It is valid until the next `infer`,
/// and only during the segmenter's lifetime.
@safe public struct RawMatte {
  /// The first sample of the first row, followed by the others without padding between rows.
  public let base: UnsafePointer<Float>
  /// Samples in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Creates a matte in memory that the segmenter owns.
  @unsafe public init(base: UnsafePointer<Float>, width: Int, height: Int) {
    unsafe (self.base, self.width, self.height) = (base, width, height)
  }
}

/// The accuracy of a network's matte along the edge of the person.
public enum MatteEdge: Sendable {
  /// The edge is only roughly correct.
  case approximate
  /// The edge is exact: a matting network estimates the alpha of each pixel.
  case exact
}
