/// What BlazeFace puts out, before it is decoded.
///
/// Safety: points into the network's output tensors; valid until its next `infer` or its end.
@safe public struct RawFaces {
  /// For each anchor 16 numbers in pixels of the input: the box's middle, from the anchor on, its
  /// width and height, and six keypoints, from the anchor on.
  public let regressors: UnsafePointer<Float>
  /// For each anchor the logit of its score.
  public let scores: UnsafePointer<Float>

  /// Describes memory that the network owns: `FaceAnchors.count` anchors.
  @unsafe public init(regressors: UnsafePointer<Float>, scores: UnsafePointer<Float>) {
    unsafe self.regressors = regressors
    unsafe self.scores = scores
  }
}

/// BlazeFace for short range, ready to run.
///
/// Used on one thread at a time.
public protocol FaceNetwork: AnyObject {
  /// The input tensor: 128x128 pixels, RGB side by side, each -1 to 1. Written in place before
  /// `infer`, valid for as long as the network lives.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on what stands in `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails.
  func infer() throws(SegmentationError) -> RawFaces
}

/// The anchors of BlazeFace for short range.
///
/// Bazarevsky et al. 2019, "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs".
/// All anchors are points; the two layers of the network lie on grids of 8 and of 16 pixels.
public enum FaceAnchors {
  /// Pixels of the network's input on a side.
  public static let inputSize = 128
  /// How many anchors there are.
  public static let count = layers.reduce(0) { $0 + $1.cells * $1.cells * $1.perCell }
  /// Numbers that the network puts out for each anchor, beside the score.
  public static let regressors = 16

  /// Cells on a side, and how many anchors lie in the middle of each.
  package static let layers = [(cells: 16, perCell: 2), (cells: 8, perCell: 6)]
}
