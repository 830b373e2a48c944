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
