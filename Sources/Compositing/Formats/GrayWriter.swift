import PixelTypes
import Processor

/// Writes GRAY8: luma expanded to the full range, or the unchanged alpha.
final class GrayWriter: RowWriter {
  private let factor: Int32

  override init(format: FrameFormat, _ picture: PicturePlanes) {
    factor = Int32((65536 * 255 / format.colorimetry.scale.lumaSpan).rounded())
    super.init(format: format, picture)
  }

  /// A picture that is not opaque contains only alpha.
  override var writesColor: Bool { isOpaque }

  func write(_ n: Int, of pairs: Range<Int>) {
    for y in 2 * n..<min(2 * n + 2, format.height) {
      let out = unsafe picture[0].row(y)
      if isOpaque {
        unsafe kernels.stretchRow(luma(y), black, factor, out, format.width)
      } else {
        unsafe out.update(from: alpha(y), count: format.width)
      }
    }
  }
}
