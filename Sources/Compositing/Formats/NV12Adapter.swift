import Matting
import PixelTypes
import Processor
import Threads

/// Converts NV21, I420 and P010 pictures to NV12 frames and back.
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
  /// The picture and the direction of the conversion in progress.
  private var conversion: (picture: PicturePlanes, isWriteBack: Bool)?

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
  /// The frame is valid until the next call of `open` and while the memory of the picture is valid.
  public func open(_ picture: PicturePlanes) -> Frame {
    convert(picture, isWriteBack: false)
    return Frame(luma: luma?.plane ?? picture[0], chroma: chroma.plane)
  }

  /// Converts the copied planes of the frame back into a picture.
  ///
  /// `picture` must be the picture of the last `open`.
  public func writeBack(to picture: PicturePlanes) {
    convert(picture, isWriteBack: true)
  }

  private func convert(_ picture: PicturePlanes, isWriteBack: Bool) {
    conversion = (picture, isWriteBack)
    job.perform(self, bands)
    conversion = nil
  }

  package func perform(band: Int) {
    guard let (picture, isWriteBack) = conversion else { return }
    let (first, second) = (picture[1], picture[2])
    let count = format.chromaWidth
    for y in bands.rows(of: format.chromaHeight, in: band) {
      let row = unsafe chroma.row(y)
      switch (picture.format, isWriteBack) {
      case (.nv21, false): unsafe kernels.swapPairs(first.row(y), row, count)
      case (.nv21, true): unsafe kernels.swapPairs(row, first.row(y), count)
      case (.i420, false): unsafe kernels.interleaveRows(first.row(y), second.row(y), row, count)
      case (.i420, true): unsafe kernels.deinterleaveRow(row, first.row(y), second.row(y), count)
      case (.p010, false): unsafe kernels.narrowRow(first.row(y), row, 2 * count)
      case (.p010, true): unsafe kernels.widenRow(row, first.row(y), 2 * count)
      default: break  // Not reached: callers open no other formats.
      }
    }
    guard let luma, picture.format == .p010 else { return }
    for y in bands.rows(of: format.height, in: band) {
      if isWriteBack {
        unsafe kernels.widenRow(luma.row(y), picture[0].row(y), format.width)
      } else {
        unsafe kernels.narrowRow(picture[0].row(y), luma.row(y), format.width)
      }
    }
  }
}
