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
