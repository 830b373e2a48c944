import PixelTypes
import Processor

/// Writes NV12, NV21, I420, P010 and A420, which have the frame's chroma resolution.
final class PlanarWriter: RowWriter {
  override func luma(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe picture.format == .p010 ? super.luma(y) : picture[0].row(y)
  }

  override func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe picture.format == .nv12 ? picture[1].row(n) : super.chroma(n)
  }

  func write(_ n: Int, of pairs: Range<Int>) {
    let hasSecond = 2 * n + 1 < format.height
    finishRow(2 * n)
    if hasSecond { finishRow(2 * n + 1) }
    let (row, count) = unsafe (chroma(n), format.chromaWidth)
    if !isOpaque {
      let last = hasSecond ? 2 * n + 1 : 2 * n
      unsafe kernels.clearPairs(row, alpha(2 * n), alpha(last), 128, count)
    }
    switch picture.format {
    case .nv21: unsafe kernels.swapPairs(row, picture[1].row(n), count)
    case .p010: unsafe kernels.widenRow(row, picture[1].row(n), 2 * count)
    case .i420, .a420:
      unsafe kernels.deinterleaveRow(row, picture[1].row(n), picture[2].row(n), count)
    // NV12 chroma was written in place. The other formats have no chroma planes.
    case .nv12, .ayuv, .rgba, .bgra, .argb, .abgr, .gray8: break
    }
  }

  private func finishRow(_ y: Int) {
    let width = format.width
    if !isOpaque {
      // Clear alpha beyond an odd width. Otherwise the last chroma sample would count as visible.
      if width & 1 != 0 { unsafe alpha(y)[width] = 0 }
      unsafe kernels.clearRow(luma(y), alpha(y), black, width)
    }
    if picture.format == .p010 { unsafe kernels.widenRow(luma(y), picture[0].row(y), width) }
    guard picture.format == .a420 else { return }
    if isOpaque {
      unsafe picture[3].row(y).update(repeating: 255, count: width)
    } else {
      unsafe picture[3].row(y).update(from: alpha(y), count: width)
    }
  }
}
