import Matting
import PixelTypes

/// The coarse grid on which the colours beside the person's edge are known: square cells of pixels.
struct EdgeGrid: Equatable {
  /// A cell is `1 << shift` pixels wide and high.
  let shift: Int
  /// Cells in a row, and rows of them.
  let width: Int, height: Int

  /// The frame's shorter side has at least so many cells, if it has the pixels: the cells are then
  /// about 10 pixels of a 720-line frame wide, finer than colours change along an edge.
  private static let leastCells = 64

  /// Lays cells over frames of `format` that are known as reduced by `1 << sourceShift`.
  ///
  /// A cell has at least one sample of the reduced chroma.
  init(format: FrameFormat, sourceShift: Int) {
    var shift = sourceShift + 1
    while shift < sourceShift + BoxReducer.greatestShift,
      min(format.width, format.height) >> (shift + 1) >= Self.leastCells
    {
      shift += 1
    }
    self.shift = shift
    width = BoxReducer.reduced(format.width, shift: shift)
    height = BoxReducer.reduced(format.height, shift: shift)
  }

  /// Pixels from one cell to the next.
  var step: Int { 1 << shift }
}
