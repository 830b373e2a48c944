import PixelTypes
import Processor

/// Writes NV12, NV21, I420, P010 and A420, which have the frame's chroma resolution.
final class PlanarWriter: RowWriter {
  let writesColor = true
  let needsNeighbours = false

  private let format: FrameFormat
  private let black: UInt8
  private let alphas: Raster<UInt8>
  /// The 8-bit luma of a P010 picture.
  private let lumas: Raster<UInt8>
  private let pairs: Raster<UInt8>
  private var picture: PicturePlanes?
  private var isOpaque = true

  init(format: FrameFormat) {
    self.format = format
    black = format.colorimetry.codeValues(red: 0, green: 0, blue: 0).luma
    alphas = Raster(width: 2 * format.chromaWidth, height: 2, filledWith: 255)
    lumas = Raster(width: format.width, height: 2, filledWith: black)
    pairs = Raster(width: 2 * format.chromaWidth, height: 1, filledWith: 128)
  }

  func begin(_ picture: PicturePlanes, isOpaque: Bool) {
    self.picture = picture
    self.isOpaque = isOpaque
  }

  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    guard let picture, picture.format != .p010 else { return unsafe lumas.row(y & 1) }
    return unsafe picture[0].row(y)
  }

  func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe alphas.row(y & 1) }

  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8> {
    guard let picture, picture.format == .nv12 else { return unsafe pairs.base }
    return unsafe picture[1].row(n)
  }

  func write(_ n: Int, of pairs: Range<Int>) {
    guard let picture else { return }
    let hasSecond = 2 * n + 1 < format.height
    finishRow(2 * n, picture)
    if hasSecond { finishRow(2 * n + 1, picture) }
    let (row, count) = unsafe (chroma(n), format.chromaWidth)
    if !isOpaque {
      unsafe kernels.clearPairs(row, alpha(0), alpha(hasSecond ? 1 : 0), 128, count)
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

  func finish(_ pairs: Range<Int>) {}

  private func finishRow(_ y: Int, _ picture: PicturePlanes) {
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
