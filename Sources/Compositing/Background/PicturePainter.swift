import Matting
import PixelTypes
import Processor

/// Paints a picture into a frame.
///
/// The picture is scaled with anti-aliasing, blended over a colour if it is transparent, and
/// converted to the frame's YCbCr.
///
/// - The calculation uses floats, so the result is rounded only once.
/// - It works row by row, so it needs memory for only a few rows.
/// - It filters vertically first, over the whole width, because that vectorises. Then it filters
///   the resulting row horizontally.
struct PicturePainter {
  /// Paints a part of a picture into a region of a frame.
  ///
  /// - The edges of the region must be even or on the frame's border.
  /// - `pixels` contains bytes of red, green, blue and alpha, with premultiplied alpha.
  /// - Transparent pixels are blended over `color`: red, green and blue in the low 24 bits.
  /// - `isOpaque` must be true only if every alpha is 255.
  func paint(
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
      base: pixels.plane.row(part.y) + 4 * part.x, width: 4 * part.width, height: part.height,
      stride: pixels.plane.stride)
    let sums = Raster<Float>(width: 4 * part.width, height: 1, filledWith: 0)
    let samples = Raster<Float>(width: part.width, height: 1, filledWith: 0)
    let background = [16, 8, 0].map { Float(color >> $0 & 0xFF) }
    let factors = ColorFactors.codes(colorimetry, of: 255)
    let means = Raster<Float>(width: (target.width + 1) / 2, height: 3, filledWith: 0)
    let chroma = Raster<UInt8>(width: means.width, height: 2, filledWith: 0)
    func encode(
      _ colors: Raster<Float>, _ factors: ColorFactors, _ out: UnsafeMutablePointer<UInt8>
    ) {
      unsafe kernels.codeRow(
        colors.row(0), colors.row(1), colors.row(2), factors, out, colors.width)
    }
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
      unsafe encode(row, factors[0], frame.luma.row(target.y + y) + target.x)
      if y % 2 == 1 || y == target.height - 1 {
        average(colors[0], row, into: means)
        unsafe encode(means, factors[1], chroma.row(0))
        unsafe encode(means, factors[2], chroma.row(1))
        unsafe kernels.interleaveRows(
          chroma.row(0), chroma.row(1), frame.chroma.row((target.y + y) / 2) + target.x,
          means.width)
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
  /// Averages the colours of two by two pixels, or fewer at the edge.
  private func average(_ upper: Raster<Float>, _ lower: Raster<Float>, into means: Raster<Float>) {
    for channel in 0..<3 {
      let (a, b, out) = unsafe (upper.row(channel), lower.row(channel), means.row(channel))
      for x in 0..<means.width {
        let (left, right) = (2 * x, min(2 * x + 1, upper.width - 1))
        unsafe out[x] = (a[left] + a[right] + b[left] + b[right]) / 4
      }
    }
  }
}
