/// What CenterFace puts out, before it is decoded: maps of which each cell stands for 4x4 pixels of the
/// input.
///
/// Safety: points into the network's output tensors; valid until its next `infer` or its end.
@safe public struct FaceMaps {
  /// How sure the network is that a face's middle is in a cell, 0 to 1.
  public let scores: UnsafePointer<Float>
  /// The natural logarithm of the face's height in cells, for all cells; then that of its width.
  public let extents: UnsafePointer<Float>
  /// How far the face's middle is below that of the cell, in cells, for all cells; then how far to the
  /// right of it.
  public let offsets: UnsafePointer<Float>

  /// Describes memory that the network owns: one or two maps of `cells` numbers.
  @unsafe public init(
    scores: UnsafePointer<Float>, extents: UnsafePointer<Float>, offsets: UnsafePointer<Float>
  ) {
    unsafe self.scores = scores
    unsafe self.extents = extents
    unsafe self.offsets = offsets
  }

  /// Pixels of the input, which the network itself would take of any size.
  public static let input = (width: 160, height: 96)
  /// Pixels of the input on a side of a cell.
  public static let cellSide = 4
  /// Cells in a row of a map.
  public static let columns = input.width / cellSide
  /// Rows of a map.
  public static let rows = input.height / cellSide
  /// Cells of a map.
  public static let cells = columns * rows
}

/// CenterFace, ready to run: it sees faces of which much is hidden, too.
///
/// Xu et al. 2019, "CenterFace: Joint Face Detection and Alignment Using Face as Point". Used on one
/// thread at a time.
public protocol FaceMapNetwork: AnyObject {
  /// The input tensor: pixels of `FaceMaps.input`, all of red, then of green, then of blue, each 0 to
  /// 255. Written in place before `infer`, valid for as long as the network lives.
  var inputTensor: UnsafeMutablePointer<Float> { get }

  /// Runs the network on what stands in `inputTensor`.
  ///
  /// Throws `SegmentationError` when the inference fails.
  func infer() throws(SegmentationError) -> FaceMaps
}
