import Matting

/// The raw output of BlazeFace.
///
/// Safety: points into the network's output tensors. Valid until the next `infer`, and only during
/// the network's lifetime.
@safe public struct RawFaces {
  /// 16 numbers per anchor, in pixels of the input.
  ///
  /// They are the box's centre relative to the anchor, its width and height, and six keypoints
  /// relative to the anchor.
  public let regressors: UnsafePointer<Float>
  /// The logit of the score per anchor.
  public let scores: UnsafePointer<Float>

  /// Creates an output in memory that the network owns, with `FaceAnchors.count` anchors.
  @unsafe public init(regressors: UnsafePointer<Float>, scores: UnsafePointer<Float>) {
    unsafe (self.regressors, self.scores) = (regressors, scores)
  }
}

/// BlazeFace for short range, ready to run.
///
/// Not thread-safe.
public protocol FaceNetwork: AnyObject {
  /// The input tensor: 128x128 pixels, interleaved RGB, each -1 to 1.
  ///
  /// Write it in place before `infer`. It is valid for the lifetime of the network.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on the contents of `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails.
  func infer() throws(SegmentationError) -> RawFaces
}

/// The anchors of BlazeFace for short range.
///
/// Bazarevsky et al. 2019, "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs".
/// All anchors are points. The two layers of the network use grids of 8 and 16 pixels.
public enum FaceAnchors {
  /// Side of the network's input in pixels.
  public static let inputSize = 128
  /// The number of anchors.
  public static let count = layers.reduce(0) { $0 + $1.cells * $1.cells * $1.perCell }
  /// Numbers that the network returns per anchor in addition to the score.
  public static let regressors = 16

  /// Cells per side, and the number of anchors at the centre of each cell.
  package static let layers = [(cells: 16, perCell: 2), (cells: 8, perCell: 6)]
}
