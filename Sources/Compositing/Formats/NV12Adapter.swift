import Matting
import PixelTypes
import Processor
import Threads

/// Converts NV21, I420 and P010 pictures to NV12 frames.
///
/// The frame uses the 8-bit luma of NV21 and I420 pictures in place. The adapter copies chroma, and
/// the luma of P010, to its own memory. Not thread-safe.
public final class NV12Adapter: BandedWork {
  private let format: FrameFormat
  private let bands: Bands
  private let job = BandedJob()
  private let chroma: Raster<UInt8>
  /// The 8-bit luma of a P010 picture, or nil for other formats.
  private let luma: Raster<UInt8>?
  /// The picture that is being converted.
  private var picture: PicturePlanes?

  /// Creates an adapter for pictures in `pixelFormat`, and allocates its memory.
  ///
  /// The rows of large frames are divided among `threads` threads. `helperTime` adds up the working
  /// time of all threads but the calling one.
  public init(
    _ pixelFormat: PixelFormat, format: FrameFormat, threads: Int,
    helperTime: HelperTime? = nil
  ) {
    self.format = format
    bands = Bands(format: format, threads: threads, helperTime: helperTime)
    chroma = Raster(width: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 128)
    luma =
      pixelFormat == .p010
      ? Raster(width: format.width, height: format.height, filledWith: 0) : nil
  }

  /// Converts a picture to a frame.
  ///
  /// The frame is valid until the next call and while the memory of the picture is valid.
  public func open(_ picture: PicturePlanes) -> Frame {
    self.picture = picture
    job.perform(self, bands)
    self.picture = nil
    return Frame(luma: luma?.plane ?? picture[0], chroma: chroma.plane)
  }

  package func perform(band: Int) {
    guard let picture else { return }
    for y in bands.rows(of: format.chromaHeight, in: band) {
      let (row, source) = unsafe (chroma.row(y), picture[1].row(y))
      switch picture.format {
      case .nv21: unsafe kernels.swapPairs(source, row, format.chromaWidth)
      case .i420: unsafe kernels.interleaveRows(source, picture[2].row(y), row, format.chromaWidth)
      case .p010: unsafe kernels.narrowRow(source, row, chroma.width)
      default: break  // Not reached: callers open no other formats.
      }
    }
    guard let luma else { return }
    for y in bands.rows(of: format.height, in: band) {
      unsafe kernels.narrowRow(picture[0].row(y), luma.row(y), format.width)
    }
  }
}
