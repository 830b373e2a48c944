import PixelTypes

/// Puts rows into a picture of another format than the frame's, from top to bottom, within a band.
///
/// A pair of luma rows, 2n and 2n + 1, has one row of chroma: that of number n. The rows are made in
/// the memory that the writer gives for them and stay its own.
protocol RowWriter: AnyObject {
  /// Whether luma and chroma are written at all, and not just alpha.
  var writesColor: Bool { get }
  /// Whether the pixels need the chroma of the pairs above and below too.
  var needsNeighbours: Bool { get }

  /// Turns to a picture; an opaque one has alpha 255 everywhere and no alpha is made for it.
  func begin(_ picture: PicturePlanes, isOpaque: Bool)
  /// Memory for luma row `y`.
  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8>
  /// Memory for the alpha of luma row `y`: a sample for each of the chroma row's bytes.
  func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8>
  /// Memory for chroma row `n`: interleaved Cb and Cr.
  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8>
  /// Takes pair `n`, whose rows are made, of a band of `pairs`.
  func write(_ n: Int, of pairs: Range<Int>)
  /// Ends a band, after the chroma of the pair below it was made, if there is one.
  func finish(_ pairs: Range<Int>)
}
