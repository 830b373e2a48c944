import PixelTypes

/// A network that is ready to run: it finds the person in one picture after another.
///
/// Used on one thread at a time.
public protocol Segmenter: AnyObject {
  /// How the network wants its picture.
  var inputFormat: TensorFormat { get }

  /// The input tensor, `3 * width * height` floats, written in place before `infer`.
  ///
  /// Valid until the next `infer` returns; ask for it anew for each picture.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on what stands in `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails; the past is then forgotten.
  func infer() throws(SegmentationError) -> RawMatte

  /// How well the matte follows the edge of the person.
  var edge: MatteEdge { get }

  /// Whether the network remembers earlier pictures.
  var remembersPast: Bool { get }

  /// Drops what the network remembers of earlier pictures.
  func reset()

  /// Fits what the network remembers to pictures that show another part of the frame from now on.
  func movePast(from old: PixelRegion, to new: PixelRegion)

  /// Nanoseconds that other threads than those that called `infer` have computed for this network since
  /// the last call.
  func takeHelperTime() -> UInt64
}

extension Segmenter {
  /// Most networks tell persons from rooms.
  public var edge: MatteEdge { .approximate }

  /// Most networks see one picture at a time.
  public var remembersPast: Bool { false }

  /// There is nothing to move.
  public func movePast(from old: PixelRegion, to new: PixelRegion) {}

  /// The calling thread does all.
  public func takeHelperTime() -> UInt64 { 0 }
}
