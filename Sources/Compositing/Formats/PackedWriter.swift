import PixelTypes
import Processor

/// Writes packed formats with four bytes per pixel: AYUV and the RGB formats with alpha.
///
/// Interpolates chroma at each pixel. A chroma sample is at the centre of a 2x2 block of pixels.
/// So the second luma row of a pair waits for the chroma row of the next pair.
final class PackedWriter: RowWriter {
  private let coefficients: FixedRGBCoefficients
  private let mixed: Raster<UInt8>, enlarged: Raster<UInt8>
  /// A row of transparent pixels, in the format of the picture.
  private let invisible: Raster<UInt8>

  override init(format: FrameFormat, _ picture: PicturePlanes) {
    coefficients = FixedRGBCoefficients(format.colorimetry)
    let width = 2 * format.chromaWidth
    mixed = Raster(width: width, height: 1, filledWith: 128)
    enlarged = Raster(width: 2 * width, height: 1, filledWith: 128)
    invisible = Raster(width: 4 * width, height: 1, filledWith: 0)
    super.init(format: format, picture)
    guard picture.format == .ayuv else { return }
    for x in 0..<width {
      unsafe invisible.base[4 * x + 1] = black
      unsafe (invisible.base[4 * x + 2], invisible.base[4 * x + 3]) = (128, 128)
    }
  }

  override var needsNeighbours: Bool { true }

  func write(_ n: Int, of pairs: Range<Int>) {
    let above = max(n - 1, 0)
    if n > pairs.lowerBound { write(row: 2 * n - 1, between: above, n, weight: 64) }
    write(row: 2 * n, between: above, n, weight: 192)
  }

  override func finish(_ pairs: Range<Int>) {
    let last = pairs.upperBound - 1
    guard 2 * last + 1 < format.height else { return }
    let below = min(last + 1, format.chromaHeight - 1)
    write(row: 2 * last + 1, between: last, below, weight: 64)
  }

  /// Writes row `y` of the picture, with chroma interpolated between two chroma rows.
  ///
  /// `weight`, from 0 to 256, is the weight of the chroma row `below`.
  private func write(row y: Int, between above: Int, _ below: Int, weight: Int) {
    let width = format.width
    let pairs = unsafe RowBetween(top: chroma(above), bottom: chroma(below), weight: weight)
    unsafe kernels.mixRows(pairs, mixed.base, 2 * format.chromaWidth)
    unsafe kernels.enlargePairs(mixed.base, 1, enlarged.base, width)
    let out = unsafe picture[0].row(y)
    // Copying pixels from `invisible` costs less. They are usually most of the row.
    let visible =
      unsafe isOpaque ? 0..<width : UnsafePointer(alpha(y)).samples(withAnyOf: 255, count: width)
    unsafe out.update(from: invisible.base, count: 4 * visible.lowerBound)
    unsafe (out + 4 * visible.upperBound).update(
      from: invisible.base, count: 4 * (width - visible.upperBound))
    let first = visible.lowerBound
    if let order = picture.format.byteOrder {
      unsafe kernels.packRGB(
        luma(y) + first, enlarged.base + 2 * first, alpha(y) + first, coefficients, order,
        out + 4 * first, visible.count)
    } else {
      unsafe kernels.packYUV(
        luma(y) + first, enlarged.base + 2 * first, alpha(y) + first, black, out + 4 * first,
        visible.count)
    }
  }
}

extension PixelFormat {
  /// The byte order of a packed RGB format with alpha, or nil for another format.
  var byteOrder: PixelByteOrder? {
    switch self {
    case .rgba: PixelByteOrder(red: 0, green: 1, blue: 2, alpha: 3)
    case .bgra: PixelByteOrder(red: 2, green: 1, blue: 0, alpha: 3)
    case .argb: PixelByteOrder(red: 1, green: 2, blue: 3, alpha: 0)
    case .abgr: PixelByteOrder(red: 3, green: 2, blue: 1, alpha: 0)
    default: nil
    }
  }
}
