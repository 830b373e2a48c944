import PixelTypes

/// The frame at a reduced size, for the network, the matte and the blur.
///
/// The factor is a power of two. At full size, the frame's own planes are used without a copy.
package final class ReducedFrame: BandedWork {
  /// The logarithm of the factor: the samples are `1 << shift` pixels apart.
  package let shift: Int

  private let whole: PixelRegion
  private let bands: Bands
  private let job = BandedJob()
  /// One pair per band, because they store the sums of a row.
  private let reducers: [(luma: BoxReducer, chroma: BoxReducer)]
  private var source: (frame: Frame, blocks: PixelRegion)?
  /// The reduced frame, or nil at full size.
  private let reduced: FrameCopy?

  package init(format: FrameFormat, shift: Int, bands: Bands) {
    (self.bands, self.shift) = (bands, shift)
    whole = PixelRegion(wholeOf: format)
    reducers = (0..<(shift == 0 ? 0 : bands.count)).map { _ in
      (
        BoxReducer(width: format.width, shift: shift),
        BoxReducer(width: 2 * format.chromaWidth, shift: shift)
      )
    }
    reduced = shift == 0 ? nil : FrameCopy(format: format, shift: shift)
  }

  /// Returns the maximum shift at which a part has at least about `size` samples.
  ///
  /// A network's input then has no more samples than the part.
  package static func shift(
    for part: PixelRegion, covering size: (width: Int, height: Int)
  ) -> Int {
    (1...BoxReducer.maxShift).last {
      part.width >> $0 >= size.width && part.height >> $0 >= size.height
    } ?? 0
  }

  /// Reduces a frame, or only a part of it.
  ///
  /// Outside of the part, the result contains samples of earlier frames. The result points into
  /// this object, or into `frame` at full size. It is valid until the next call, while `frame` is
  /// valid.
  package func reduce(_ frame: Frame, part: PixelRegion? = nil) -> Frame {
    guard let reduced else { return frame }
    let part = part ?? whole
    let (x, y) = (part.x >> shift, part.y >> shift)
    // The blocks that the part touches.
    let blocks = PixelRegion(
      x: x, y: y, width: BoxReducer.reduced(part.endX, shift: shift) - x,
      height: BoxReducer.reduced(part.endY, shift: shift) - y)
    source = (frame, blocks)
    job.perform(self, bands)
    source = nil
    return reduced.frame
  }

  package func perform(band: Int) {
    guard let (frame, blocks) = source, let reduced else { return }
    let reducer = reducers[band]
    func rows(_ first: Int, _ end: Int) -> Range<Int> {
      let rows = bands.rows(of: end - first, in: band)
      return first + rows.lowerBound..<first + rows.upperBound
    }
    reducer.luma.reduce(
      frame.luma, into: reduced.luma, columns: blocks.x..<blocks.endX,
      rows: rows(blocks.y, blocks.endY))
    // A chroma block covers two by two luma blocks.
    reducer.chroma.reduce(
      frame.chroma, ofPairs: true, into: reduced.chroma,
      columns: blocks.x / 2..<(blocks.endX + 1) / 2,
      rows: rows(blocks.y / 2, (blocks.endY + 1) / 2))
  }
}
