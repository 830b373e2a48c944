import PixelTypes

/// Writes a band of a picture in another format than the frame's, from top to bottom.
///
/// A pair of luma rows, 2n and 2n + 1, shares chroma row n. The writer owns the memory of the
/// rows, and the caller fills it.
protocol RowWriter: AnyObject {
  /// Whether luma and chroma are written, and not only alpha.
  var writesColor: Bool { get }
  /// Whether the pixels also need the chroma of the pairs above and below.
  var needsNeighbours: Bool { get }

  /// Begins a picture.
  ///
  /// An opaque picture has alpha 255 everywhere, and its alpha rows are not made.
  func begin(_ picture: PicturePlanes, isOpaque: Bool)
  /// Returns memory for luma row `y`.
  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8>
  /// Returns memory for the alpha of luma row `y`, with one sample per byte of the chroma row.
  func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8>
  /// Returns memory for chroma row `n`, with interleaved Cb and Cr.
  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8>
  /// Writes pair `n` of a band of `pairs` after its rows were made.
  func write(_ n: Int, of pairs: Range<Int>)
  /// Ends a band after the chroma of the pair below it was made, if there is one.
  func finish(_ pairs: Range<Int>)
}
