import PixelTypes

/// Writes a band of a picture from top to bottom.
///
/// Pair n consists of luma rows 2n and 2n + 1, which share chroma row n. The caller fills the rows.
/// Their memory belongs to the writer or to the picture, which may be the frame itself.
protocol RowWriter: AnyObject {
  /// Whether the writer needs luma and chroma, not only alpha.
  var writesColor: Bool { get }
  /// Whether a pair also needs the chroma of the pairs above and below.
  var needsNeighbours: Bool { get }

  /// Begins a picture.
  ///
  /// In an opaque picture every alpha is 255, and the caller fills no alpha rows.
  func begin(_ picture: PicturePlanes, isOpaque: Bool)
  /// Returns memory for luma row `y`.
  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8>
  /// Returns memory for the alpha of luma row `y`, with one sample per byte of the chroma row.
  func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8>
  /// Returns memory for chroma row `n`, with interleaved Cb and Cr.
  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8>
  /// Writes pair `n` of a band, after the caller has filled the pair's rows.
  ///
  /// `pairs` are the pairs of the band.
  func write(_ n: Int, of pairs: Range<Int>)
  /// Ends a band, after the caller has filled the chroma row of the pair below, if there is one.
  func finish(_ pairs: Range<Int>)
}
