import Matting
import PixelTypes
import Threads

/// Presents pictures of NV21, I420 or P010 as NV12.
///
/// Luma of 8 bits stays in place, and the rest is copied to memory of this object. Not thread-safe.
public final class NV12Adapter {
  private let format: FrameFormat
  private let kernels: any RowKernels.Type
  private let bands: Bands
  private let job = BandedJob()
  private let chroma: Raster<UInt8>
  /// For P010 only.
  private let luma: Raster<UInt8>?
  private var exchange: (picture: PicturePlanes, isBack: Bool)?

  /// Allocates memory for frames in `pixelFormat`.
  ///
  /// The rows of large frames are divided among `threads` threads. `helperTime` counts the work of
  /// threads other than the calling one.
  public init(
    _ pixelFormat: PixelFormat, format: FrameFormat, kernels: any RowKernels.Type, threads: Int,
    helperTime: HelperTime? = nil
  ) {
    self.format = format
    self.kernels = kernels
    bands = Bands(format: format, threads: threads, helperTime: helperTime)
    chroma = Raster(width: 2 * format.chromaWidth, height: format.chromaHeight, filledWith: 128)
    luma =
      pixelFormat == .p010
      ? Raster(width: format.width, height: format.height, filledWith: 0) : nil
  }

  /// Returns a picture as a frame.
  ///
  /// The frame is valid until the next call, and as long as the picture.
  public func open(_ picture: PicturePlanes) -> Frame {
    perform(picture, isBack: false)
    return Frame(luma: luma?.plane ?? picture[0], chroma: chroma.plane)
  }

  /// Writes the converted planes back to the open picture.
  public func writeBack(to picture: PicturePlanes) {
    perform(picture, isBack: true)
  }

  private func perform(_ picture: PicturePlanes, isBack: Bool) {
    exchange = (picture, isBack)
    job.perform(self, bands)
    exchange = nil
  }
}

extension NV12Adapter: BandedWork {
  package func perform(band: Int) {
    guard let (picture, isBack) = exchange else { return }
    let (first, second) = (picture[1], picture[2])
    let count = format.chromaWidth
    for y in bands.rows(of: format.chromaHeight, in: band) {
      let row = unsafe chroma.row(y)
      switch (picture.format, isBack) {
      case (.nv21, false): unsafe kernels.swapPairs(first.row(y), row, count)
      case (.nv21, true): unsafe kernels.swapPairs(row, first.row(y), count)
      case (.i420, false): unsafe kernels.interleaveRows(first.row(y), second.row(y), row, count)
      case (.i420, true): unsafe kernels.deinterleaveRow(row, first.row(y), second.row(y), count)
      case (.p010, false): unsafe kernels.narrowRow(first.row(y), row, 2 * count)
      case (.p010, true): unsafe kernels.widenRow(row, first.row(y), 2 * count)
      default: break  // No other picture is opened.
      }
    }
    guard let luma, picture.format == .p010 else { return }
    for y in bands.rows(of: format.height, in: band) {
      if isBack {
        unsafe kernels.widenRow(luma.row(y), picture[0].row(y), format.width)
      } else {
        unsafe kernels.narrowRow(picture[0].row(y), luma.row(y), format.width)
      }
    }
  }
}
