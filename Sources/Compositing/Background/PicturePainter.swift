import Matting
import PixelTypes

/// Paints a picture into a frame.
///
/// The picture is scaled with anti-aliasing, blended over a colour if it is transparent, and
/// converted to the frame's YCbCr.
///
/// - The calculation uses floats, so the result is rounded only once.
/// - It works row by row, so it needs memory for only a few rows.
/// - It filters vertically first, over the whole width, because that vectorises. Then it filters
///   the resulting row horizontally.
public struct PicturePainter {
  /// Creates a painter.
  public init() {}

  /// Paints a part of a picture into a region of a frame.
  ///
  /// - The edges of the region must be even or on the frame's border.
  /// - `pixels` contains bytes of red, green, blue and alpha, with premultiplied alpha.
  /// - Transparent pixels are blended over `color`: red, green and blue in the low 24 bits.
  /// - `isOpaque` must be true only if every alpha is 255.
  public func paint(
    _ pixels: Raster<UInt32>, part: PixelRegion, isOpaque: Bool, over color: UInt32,
    into frame: Frame, at target: PixelRegion, colorimetry: Colorimetry
  ) {
    func filter(_ count: Int, _ sourceCount: Int) -> AxisFilter {
      AxisFilter(
        count: count, scale: Double(sourceCount) / Double(count), sourceCount: sourceCount,
        kind: .lanczos)
    }
    let columns = filter(target.width, part.width)
    let rows = filter(target.height, part.height)
    let source = unsafe Plane(
      base: UnsafeMutableRawPointer(pixels.row(part.y) + part.x)
        .assumingMemoryBound(to: UInt8.self),
      width: 4 * part.width, height: part.height, stride: 4 * pixels.width)
    let sums = Raster<Float>(width: 4 * part.width, height: 1, filledWith: 0)
    let samples = Raster<Float>(width: part.width, height: 1, filledWith: 0)
    let background = [16, 8, 0].map { Float(color >> $0 & 0xFF) }
    let converter = RowConverter(colorimetry)
    let colors = (0..<2).map { _ in Raster<Float>(width: target.width, height: 4, filledWith: 0) }
    for y in 0..<target.height {
      let row = colors[y % 2]
      rows.sumRows(of: source, for: y, 0..<sums.width, into: sums)
      for channel in 0..<(isOpaque ? 3 : 4) {
        for x in 0..<part.width { unsafe samples.base[x] = sums.base[4 * x + channel] }
        unsafe columns.apply(to: samples.base, into: row.row(channel))
      }
      for channel in 0..<3 {
        unsafe finish(
          row.row(channel), isOpaque ? nil : row.row(3), background[channel], target.width)
      }
      unsafe converter.luma(row, frame.luma.row(target.y + y) + target.x)
      if y % 2 == 1 || y == target.height - 1 {
        unsafe converter.chroma(
          colors[0], row, frame.chroma.row((target.y + y) / 2) + target.x)
      }
    }
  }

  /// Blends transparent pixels over the colour, and clips the filter's overshoot.
  private func finish(
    _ row: UnsafeMutablePointer<Float>, _ alpha: UnsafeMutablePointer<Float>?,
    _ background: Float, _ count: Int
  ) {
    if let alpha = unsafe alpha {
      for x in 0..<count { unsafe row[x] += background * (1 - alpha[x] / 255) }
    }
    for x in 0..<count { unsafe row[x] = min(max(row[x], 0), 255) }
  }
}

/// Converts rows of red, green and blue from 0 to 255 to code values, rounded to nearest.
private struct RowConverter {
  /// Factors of red, green and blue, and an offset that includes the half for rounding.
  private typealias Weights = (red: Float, green: Float, blue: Float, offset: Float)

  private let luma: Weights
  private let cb: Weights
  private let cr: Weights

  /// Computes the weights that `Colorimetry.codeValues` uses.
  init(_ colorimetry: Colorimetry) {
    let (kr, kb) = colorimetry.lumaWeights
    let kg = 1 - kr - kb
    let (offset, lumaSpan, chromaSpan) = colorimetry.scale
    func weights(_ red: Double, _ green: Double, _ blue: Double, _ offset: Double) -> Weights {
      (Float(red / 255), Float(green / 255), Float(blue / 255), Float(offset + 0.5))
    }
    luma = weights(kr * lumaSpan, kg * lumaSpan, kb * lumaSpan, offset)
    let b = chromaSpan / (2 * (1 - kb))
    cb = weights(-kr * b, -kg * b, (1 - kb) * b, 128)
    let r = chromaSpan / (2 * (1 - kr))
    cr = weights((1 - kr) * r, -kg * r, -kb * r, 128)
  }

  /// Writes a row of luma.
  ///
  /// Rows 0 to 2 of `colors` are red, green and blue.
  func luma(_ colors: Raster<Float>, _ out: UnsafeMutablePointer<UInt8>) {
    let (red, green, blue) = unsafe (colors.row(0), colors.row(1), colors.row(2))
    for x in 0..<colors.width {
      unsafe out[x] = code(luma, red[x], green[x], blue[x])
    }
  }

  /// Writes a row of chroma.
  ///
  /// Each sample is the mean of its two by two pixels. At the edge, it has fewer.
  func chroma(
    _ upper: Raster<Float>, _ lower: Raster<Float>, _ out: UnsafeMutablePointer<UInt8>
  ) {
    for x in 0..<(upper.width + 1) / 2 {
      let (left, right) = (2 * x, min(2 * x + 1, upper.width - 1))
      func mean(_ channel: Int) -> Float {
        let (a, b) = unsafe (upper.row(channel), lower.row(channel))
        return unsafe (a[left] + a[right] + b[left] + b[right]) / 4
      }
      let (red, green, blue) = (mean(0), mean(1), mean(2))
      unsafe out[2 * x] = code(cb, red, green, blue)
      unsafe out[2 * x + 1] = code(cr, red, green, blue)
    }
  }

  @inline(__always)
  private func code(_ weights: Weights, _ red: Float, _ green: Float, _ blue: Float) -> UInt8 {
    let value =
      weights.red * red + weights.green * green + weights.blue * blue + weights.offset
    return UInt8(truncatingIfNeeded: Int32(min(max(value, 0), 255)))
  }
}
