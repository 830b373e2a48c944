import Matting
import PixelTypes

/// Scales or moves a plane of floats, by bilinear interpolation.
///
/// Allocates no memory after `init`. Not thread-safe.
final class BilinearScaler {
  private let columns: AxisFilter, rows: AxisFilter
  /// A mix of two adjacent source rows.
  private let mixed: Raster<Float>
  private let height: Int

  /// Creates a scaler for two planes that cover the same area: the outer edges of their outer
  /// samples coincide.
  init(fromWidth: Int, fromHeight: Int, toWidth: Int, toHeight: Int) {
    func axis(_ target: Int, _ source: Int) -> AxisFilter {
      AxisFilter(count: target, maxScale: 1, sourceCount: source, kind: .triangle, tapsAtOnce: 1)
    }
    (columns, rows) = (axis(toWidth, fromWidth), axis(toHeight, fromHeight))
    mixed = Raster(width: fromWidth, height: 1, filledWith: 0)
    height = fromHeight
    let whole = PixelRegion(x: 0, y: 0, width: 1, height: 1)
    move(from: whole, to: whole)
  }

  /// Lets the source cover the region `old`, and the target the region `new`.
  ///
  /// Outside the old region, the values at its edge are repeated.
  func move(from old: PixelRegion, to new: PixelRegion) {
    func cover(_ axis: AxisFilter, _ start: Int, _ length: Int, of oldLength: Int, _ count: Int) {
      let samples = Double(count) / Double(oldLength)
      axis.updateTaps(
        origin: Double(start) * samples,
        scale: Double(length) * samples / Double(axis.starts.width), reach: 1, part: 0..<count)
    }
    cover(columns, new.x - old.x, new.width, of: old.width, mixed.width)
    cover(rows, new.y - old.y, new.height, of: old.height, height)
  }

  /// Scales a plane into another one, without gaps between the rows.
  func scale(_ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    for y in 0..<rows.starts.width {
      unsafe rows.sumRows(of: source, for: y, into: mixed)
      unsafe columns.apply(to: mixed.base, into: target + y * columns.starts.width)
    }
  }
}
