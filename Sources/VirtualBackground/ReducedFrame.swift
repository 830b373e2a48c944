import PixelTypes

/// The frame at a fraction of its size: what the network, the matte and the blur work on.
///
/// The fraction is a power of two. At full size the frame's own planes are used, without a copy.
final class ReducedFrame: BandedWork {
  /// The grid's step is `1 << shift` pixels.
  let shift: Int

  private let bands: Bands
  private let job = BandedJob()
  /// A pair for each band: they keep the sums of a row.
  private let reducers: [(luma: BoxReducer, chroma: BoxReducer)]
  private var source: Frame?
  private let luma: Raster<UInt8>
  private let chroma: Raster<UInt8>

  /// Makes room for frames of `format`, reduced by `1 << shift`.
  init(format: FrameFormat, shift: Int, bands: Bands, kernels: any RowKernels.Type) {
    self.bands = bands
    self.shift = shift
    reducers = (0..<(shift == 0 ? 0 : bands.count)).map { _ in
      (
        BoxReducer(width: format.width, shift: shift, kernels: kernels),
        BoxReducer(width: 2 * format.chromaWidth, shift: shift, kernels: kernels)
      )
    }
    luma = Raster(
      width: shift == 0 ? 0 : BoxReducer.reduced(format.width, shift: shift),
      height: BoxReducer.reduced(format.height, shift: shift), filledWith: 0)
    chroma = Raster(
      width: shift == 0 ? 0 : 2 * BoxReducer.reduced(format.chromaWidth, shift: shift),
      height: BoxReducer.reduced(format.chromaHeight, shift: shift), filledWith: 0)
  }

  /// The greatest shift at which the frame still has `width` by `height` samples, so that the
  /// network's input is never made from fewer samples than it has.
  static func shift(
    for format: FrameFormat, coveringWidth width: Int, height: Int
  ) -> Int {
    var shift = 0
    while shift < BoxReducer.greatestShift, format.width >> (shift + 1) >= width,
      format.height >> (shift + 1) >= height
    {
      shift += 1
    }
    return shift
  }

  /// Reduces a frame; the result points into this object, or into `frame` at full size, and is
  /// valid until the next call and for as long as `frame` is.
  func reduce(_ frame: Frame) -> Frame {
    if shift == 0 { return frame }
    source = frame
    job.perform(self, bands: bands.count, threads: bands.threads)
    source = nil
    return Frame(luma: luma.plane, chroma: chroma.plane)
  }

  func perform(band: Int) {
    guard let source else { return }
    let reducer = reducers[band]
    reducer.luma.reduce(
      source.luma, into: luma, rows: bands.rows(of: luma.height, in: band))
    reducer.chroma.reducePairs(
      source.chroma, into: chroma, rows: bands.rows(of: chroma.height, in: band))
  }
}
