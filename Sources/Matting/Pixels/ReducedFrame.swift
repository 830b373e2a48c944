import PixelTypes
import Threads

/// The frame at a reduced size, for the network, the matte and the blur.
///
/// The factor is a power of two. At full size, the frame's own planes are used without a copy.
package final class ReducedFrame: BandedWork {
  /// The logarithm of the factor: the samples are `1 << shift` pixels apart.
  package let shift: Int

  private let bands: Bands
  private let job = BandedJob()
  /// One pair per band, because they store the sums of a row.
  private let reducers: [(luma: BoxReducer, chroma: BoxReducer)]
  private var source: (frame: Frame, blocks: PixelRegion)?
  private let luma: Raster<UInt8>
  private let chroma: Raster<UInt8>

  package init(format: FrameFormat, shift: Int, bands: Bands) {
    self.bands = bands
    self.shift = shift
    reducers = (0..<(shift == 0 ? 0 : bands.count)).map { _ in
      (
        BoxReducer(width: format.width, shift: shift),
        BoxReducer(width: 2 * format.chromaWidth, shift: shift)
      )
    }
    luma = Raster(
      width: shift == 0 ? 0 : BoxReducer.reduced(format.width, shift: shift),
      height: BoxReducer.reduced(format.height, shift: shift), filledWith: 0)
    chroma = Raster(
      width: shift == 0 ? 0 : 2 * BoxReducer.reduced(format.chromaWidth, shift: shift),
      height: BoxReducer.reduced(format.chromaHeight, shift: shift), filledWith: 0)
  }

  /// Returns the maximum shift at which a part has at least about `width` by `height` samples.
  ///
  /// A network's input then has no more samples than the part.
  package static func shift(
    for part: PixelRegion, coveringWidth width: Int, height: Int
  ) -> Int {
    var shift = 0
    while shift < BoxReducer.maxShift, part.width >> (shift + 1) >= width,
      part.height >> (shift + 1) >= height
    {
      shift += 1
    }
    return shift
  }

  /// Reduces a frame, or only a part of it.
  ///
  /// Outside of the part, the result contains samples of earlier frames. The result points into
  /// this object, or into `frame` at full size. It is valid until the next call, while `frame` is
  /// valid.
  package func reduce(_ frame: Frame, part: PixelRegion? = nil) -> Frame {
    if shift == 0 { return frame }
    source = (frame, blocks(of: part))
    job.perform(self, bands)
    source = nil
    return Frame(luma: luma.plane, chroma: chroma.plane)
  }

  package func perform(band: Int) {
    guard let (frame, blocks) = source else { return }
    let reducer = reducers[band]
    func rows(_ first: Int, _ end: Int) -> Range<Int> {
      let rows = bands.rows(of: end - first, in: band)
      return first + rows.lowerBound..<first + rows.upperBound
    }
    reducer.luma.reduce(
      frame.luma, into: luma, columns: blocks.x..<blocks.endX, rows: rows(blocks.y, blocks.endY))
    // A chroma block covers two by two luma blocks.
    reducer.chroma.reducePairs(
      frame.chroma, into: chroma, columns: blocks.x / 2..<(blocks.endX + 1) / 2,
      rows: rows(blocks.y / 2, (blocks.endY + 1) / 2))
  }

  /// Returns the blocks that a part of the frame touches.
  private func blocks(of part: PixelRegion?) -> PixelRegion {
    guard let part else {
      return PixelRegion(x: 0, y: 0, width: luma.width, height: luma.height)
    }
    let (x, y) = (part.x >> shift, part.y >> shift)
    return PixelRegion(
      x: x, y: y, width: BoxReducer.reduced(part.endX, shift: shift) - x,
      height: BoxReducer.reduced(part.endY, shift: shift) - y)
  }
}
