import Matting

/// The raw output of CenterFace: maps in which each cell covers 4x4 pixels of the input.
///
/// Safety: points into the network's output tensors. Valid until the next `infer`, and only during
/// the network's lifetime.
@safe public struct FaceMaps {
  /// The probability that a cell contains the centre of a face, 0 to 1.
  public let scores: UnsafePointer<Float>
  /// The natural logarithm of the face's height in cells.
  ///
  /// The map of the heights comes first, then the map of the widths.
  public let extents: UnsafePointer<Float>
  /// The offset of the face's centre from the centre of its cell, in cells.
  ///
  /// The map of the offsets downward comes first, then the map of the offsets to the right.
  public let offsets: UnsafePointer<Float>

  /// Creates an output in memory that the network owns: one or two maps of `cells` numbers each.
  @unsafe public init(
    scores: UnsafePointer<Float>, extents: UnsafePointer<Float>, offsets: UnsafePointer<Float>
  ) {
    unsafe (self.scores, self.extents, self.offsets) = (scores, extents, offsets)
  }

  /// Size of the input in pixels, chosen for speed: the network itself accepts any size.
  public static let input = (width: 160, height: 96)
  /// Side of a cell in pixels of the input.
  public static let cellSide = 4
  /// Cells in a row of a map.
  public static let columns = input.width / cellSide
  /// Rows of a map.
  public static let rows = input.height / cellSide
  /// Cells of a map.
  public static let cells = columns * rows
}

/// CenterFace, ready to run: a network that also detects largely occluded faces.
///
/// Xu et al. 2019, "CenterFace: Joint Face Detection and Alignment Using Face as Point". Use it on
/// one thread at a time.
public protocol FaceMapNetwork: AnyObject {
  /// The input tensor: planes of red, green and blue of the size `FaceMaps.input`, each 0 to 255.
  ///
  /// Write it in place before `infer`. It is valid for the lifetime of the network.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on the contents of `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails.
  func infer() throws(SegmentationError) -> FaceMaps
}
