import PixelTypes

/// Writes a band of a picture from top to bottom.
///
/// Pair n consists of luma rows 2n and 2n + 1, which share chroma row n. The caller fills the rows.
/// Their memory belongs to the writer or to the picture, which may be the frame itself.
typealias RowWriter = PictureRows & WritesRows

/// The method that every `RowWriter` implements.
protocol WritesRows {
  /// Writes pair `n` of a band, which has the pairs `pairs`, after its rows are filled.
  func write(_ n: Int, of pairs: Range<Int>)
}

/// The memory of a `RowWriter`.
class PictureRows {
  let format: FrameFormat
  /// The luma of black.
  let black: UInt8
  private(set) final var picture: PicturePlanes
  /// Whether every alpha is 255, so that the caller fills no alpha rows.
  private(set) final var isOpaque = true
  /// Four rows each: row `y % 4` contains luma or alpha row `y` of the frame.
  private let lumas: Raster<UInt8>, alphas: Raster<UInt8>
  /// Two rows: row `n % 2` contains chroma row `n` of the frame.
  private let chromas: Raster<UInt8>

  /// Allocates memory for pictures of the format and size of `picture`.
  init(format: FrameFormat, _ picture: PicturePlanes) {
    (self.format, self.picture) = (format, picture)
    black = format.colorimetry.codeValues(of: 0).luma
    let width = 2 * format.chromaWidth
    lumas = Raster(width: width, height: 4, filledWith: black)
    alphas = Raster(width: width, height: 4, filledWith: 255)
    chromas = Raster(width: width, height: 2, filledWith: 128)
  }

  /// Whether the writer needs luma and chroma, not only alpha.
  var writesColor: Bool { true }
  /// Whether a pair also needs the chroma of the pairs above and below.
  var needsNeighbours: Bool { false }

  /// Begins a picture.
  func begin(_ picture: PicturePlanes, isOpaque: Bool) {
    self.picture = picture
    // Remove the alpha values of the previous picture.
    if isOpaque, !self.isOpaque { alphas.fill(with: 255) }
    self.isOpaque = isOpaque
  }

  /// Returns memory for luma row `y`.
  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe lumas.row(y & 3) }
  /// Returns memory for the alpha of luma row `y`, with one sample per byte of the chroma row.
  final func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe alphas.row(y & 3) }
  /// Returns memory for chroma row `n`, with interleaved Cb and Cr.
  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8> { unsafe chromas.row(n & 1) }
  /// Ends a band, after the chroma row of the pair below is filled, if there is one.
  func finish(_ pairs: Range<Int>) {}
}
