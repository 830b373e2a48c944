import Matting
import PixelTypes

/// A coarse grid of square cells for the colours next to the person's edge.
struct EdgeGrid: Equatable {
  /// The binary logarithm of a cell's width and height in pixels.
  let shift: Int
  /// The number of cells per row, and the number of rows.
  let width: Int, height: Int

  /// Pixels with an alpha below `minAlpha` visibly contain only the background.
  ///
  /// Pixels with an alpha of at least `solidAlpha` visibly contain only the person.
  static let (minAlpha, solidAlpha): (UInt8, UInt8) = (1, 253)

  /// The minimum number of cells along the frame's shorter side, unless the frame is too small.
  ///
  /// A cell is then about 10 pixels of a 720-line frame wide. Colours along an edge change more
  /// slowly than that.
  private static let minCells = 64

  /// Creates a grid for frames of `format` that are reduced by `1 << sourceShift`.
  ///
  /// A cell has at least one sample of the reduced chroma.
  init(format: FrameFormat, sourceShift: Int) {
    var shift = sourceShift + 1
    while shift < sourceShift + BoxReducer.maxShift,
      min(format.width, format.height) >> (shift + 1) >= Self.minCells
    {
      shift += 1
    }
    self.shift = shift
    width = BoxReducer.reduced(format.width, shift: shift)
    height = BoxReducer.reduced(format.height, shift: shift)
  }

  /// The width and the height of a cell in pixels.
  var step: Int { 1 << shift }
}
