import PixelTypes

/// Writes AYUV and the formats of red, green, blue and alpha: four bytes a pixel.
///
/// Chroma is interpolated to the pixels; its samples lie in the middle of two by two of them. A pair's
/// second luma row waits for the chroma of the pair below.
final class PackedWriter: RowWriter {
  let writesColor = true
  let needsNeighbours = true

  private let format: FrameFormat
  private let kernels: any RowKernels.Type
  private let black: UInt8
  private let coefficients: FixedRGBCoefficients
  /// Luma row `y` lies in row `y % 4`, and its alpha likewise.
  private let lumas: Raster<UInt8>, alphas: Raster<UInt8>
  /// Chroma row `n` lies in row `n % 2`.
  private let chromas: Raster<UInt8>
  private let mixed: Raster<UInt8>, enlarged: Raster<UInt8>
  /// A row of pixels that show nothing, in the format of the picture.
  private let unseen: Raster<UInt8>
  private var picture: PicturePlanes?
  private var isOpaque = true

  /// Allocates memory for rows of frames of `format`.
  init(format: FrameFormat, kernels: any RowKernels.Type) {
    self.format = format
    self.kernels = kernels
    black = format.colorimetry.codeValues(red: 0, green: 0, blue: 0).luma
    coefficients = FixedRGBCoefficients(format.colorimetry)
    let width = 2 * format.chromaWidth
    lumas = Raster(width: width, height: 4, filledWith: 0)
    alphas = Raster(width: width, height: 4, filledWith: 255)
    chromas = Raster(width: width, height: 2, filledWith: 128)
    mixed = Raster(width: width, height: 1, filledWith: 128)
    enlarged = Raster(width: 2 * width, height: 1, filledWith: 128)
    unseen = Raster(width: 4 * width, height: 1, filledWith: 0)
  }

  func begin(_ picture: PicturePlanes, isOpaque: Bool) {
    self.picture = picture
    // What was left there by a picture with alpha.
    if isOpaque, !self.isOpaque { alphas.fill(with: 255) }
    if !isOpaque, self.isOpaque, picture.format == .ayuv {
      for x in 0..<unseen.width / 4 {
        unsafe unseen.base[4 * x + 1] = black
        unsafe (unseen.base[4 * x + 2], unseen.base[4 * x + 3]) = (128, 128)
      }
    }
    self.isOpaque = isOpaque
  }

  func luma(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe lumas.row(y & 3) }

  func alpha(_ y: Int) -> UnsafeMutablePointer<UInt8> { unsafe alphas.row(y & 3) }

  func chroma(_ n: Int) -> UnsafeMutablePointer<UInt8> { unsafe chromas.row(n & 1) }

  func write(_ n: Int, of pairs: Range<Int>) {
    let above = max(n - 1, 0)
    if n > pairs.lowerBound { write(row: 2 * n - 1, between: above, n, weight: 64) }
    write(row: 2 * n, between: above, n, weight: 192)
  }

  func finish(_ pairs: Range<Int>) {
    let last = pairs.upperBound - 1
    guard 2 * last + 1 < format.height else { return }
    let below = min(last + 1, format.chromaHeight - 1)
    write(row: 2 * last + 1, between: last, below, weight: 64)
  }

  /// Writes a luma row that lies between two of chroma; `weight` out of 256 is that of the lower.
  private func write(row y: Int, between above: Int, _ below: Int, weight: Int) {
    guard let picture else { return }
    let width = format.width
    unsafe kernels.mixRows(
      chroma(above), chroma(below), weight, mixed.base, 2 * format.chromaWidth)
    unsafe kernels.enlargePairs(mixed.base, 1, enlarged.base, width)
    let (out, seen) = unsafe (picture[0].row(y), seenPart(of: alpha(y)))
    unsafe out.update(from: unseen.base, count: 4 * seen.lowerBound)
    unsafe (out + 4 * seen.upperBound).update(
      from: unseen.base, count: 4 * (width - seen.upperBound))
    let first = seen.lowerBound
    if let order = picture.format.byteOrder {
      unsafe kernels.packRGB(
        luma(y) + first, enlarged.base + 2 * first, alpha(y) + first, coefficients, order,
        out + 4 * first, seen.count)
    } else {
      unsafe kernels.packYUV(
        luma(y) + first, enlarged.base + 2 * first, alpha(y) + first, black, out + 4 * first,
        seen.count)
    }
  }

  /// The pixels from the first to the last of which something is seen, and some more: most of a picture
  /// is room.
  private func seenPart(of alpha: UnsafeMutablePointer<UInt8>) -> Range<Int> {
    let width = format.width
    if isOpaque { return 0..<width }
    func isUnseen(_ x: Int) -> Bool {
      unsafe UnsafeRawPointer(alpha).loadUnaligned(fromByteOffset: x, as: UInt64.self) == 0
    }
    var (first, end) = (0, width)
    while first + 8 <= width, isUnseen(first) { first += 8 }
    while end - 8 >= first, isUnseen(end - 8) { end -= 8 }
    return first..<end
  }
}
