/// What O-Net of MTCNN says about a square patch of a picture.
public struct FacePatch: Equatable, Sendable {
  /// How sure it is that the patch shows a face, 0 to 1.
  public var score: Float
  /// Where the face's left edge is, from the patch's own on, in sides of the patch.
  public var left: Float
  /// Where its upper edge is, from the patch's own on.
  public var top: Float
  /// Where its right edge is, from the patch's own on.
  public var right: Float
  /// Where its lower edge is, from the patch's own on.
  public var bottom: Float

  /// Pixels of the network's input on a side.
  public static let inputSize = 48

  /// Makes a judgement.
  public init(score: Float, left: Float, top: Float, right: Float, bottom: Float) {
    self.score = score
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }
}

/// O-Net of MTCNN, ready to run: it says whether a patch of a picture is a face, and where in it.
///
/// Zhang et al. 2016, "Joint Face Detection and Alignment Using Multitask Cascaded Convolutional
/// Networks". Used on one thread at a time.
public protocol FacePatchNetwork: AnyObject {
  /// The input tensor: 48x48 pixels, all of red, then of green, then of blue, each a little less
  /// than -1 to 1. Written in place before `judge`, valid for as long as the network lives.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on what stands in `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails.
  func judge() throws(SegmentationError) -> FacePatch
}
