import PixelTypes
import Processor

/// Writes GRAY8: luma expanded to the full range, or the unchanged alpha.
final class GrayWriter: RowWriter {
  let needsNeighbours = false
  /// A picture that is not opaque contains only alpha.
  var writesColor: Bool { isOpaque }

  private let format: FrameFormat
  private let low: UInt8
  private let factor: Int32
  private let rows: Raster<UInt8>
  private var picture: PicturePlanes?
  private var isOpaque = true

  init(format: FrameFormat) {
    self.format = format
    let scale = format.colorimetry.scale
    low = UInt8(scale.lumaOffset)
    factor = Int32((65536 * 255 / scale.lumaSpan).rounded())
    rows = Raster(width: 2 * format.chromaWidth, height: 3, filledWith: 0)
  }

  func begin(_ picture: PicturePlanes, isOpaque: Bool) {
    self.picture = picture
    self.isOpaque = isOpaque
  }

  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe rows.row(y & 1) }

  func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe rows.row(y & 1) }

  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8> { unsafe rows.row(2) }

  func write(_ n: Int, of pairs: Range<Int>) {
    guard let picture else { return }
    for y in 2 * n..<min(2 * n + 2, format.height) {
      let (row, out) = unsafe (luma(y), picture[0].row(y))
      if isOpaque {
        unsafe kernels.stretchRow(row, low, factor, out, format.width)
      } else {
        unsafe out.update(from: row, count: format.width)
      }
    }
  }

  func finish(_ pairs: Range<Int>) {}
}
