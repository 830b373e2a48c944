import PixelTypes

/// Scales or moves a plane of floats, by bilinear interpolation.
///
/// Allocates no memory after `init`. Not thread-safe.
final class BilinearScaler {
  /// The source positions along one axis.
  private struct Axis {
    let sourceCount: Int
    /// The index of the first of the two source samples, for each target sample.
    let positions: Raster<Int32>
    /// The weight of the second source sample, for each target sample.
    let weights: Raster<Float>

    init(from source: Int, to target: Int) {
      sourceCount = source
      positions = Raster(width: target, height: 1, filledWith: 0)
      weights = Raster(width: target, height: 1, filledWith: 0)
      cover(0, 1, of: 0, 1)
    }

    /// Maps a part of an axis, which the target covers, to the part that the source covers.
    func cover(_ target: Int, _ targetLength: Int, of source: Int, _ sourceLength: Int) {
      for i in 0..<positions.width {
        let place = (Double(i) + 0.5) / Double(positions.width) * Double(targetLength)
        let position =
          (place + Double(target - source)) / Double(sourceLength) * Double(sourceCount) - 0.5
        let clamped = min(max(position, 0), Double(sourceCount - 1))
        // The last source sample can only be the second of a pair.
        let first = min(Int(clamped), max(sourceCount - 2, 0))
        unsafe positions.base[i] = Int32(first)
        unsafe weights.base[i] = Float(clamped - Double(first))
      }
    }
  }

  private let columns: Axis, rows: Axis
  /// A mix of two adjacent source rows.
  private let mixed: Raster<Float>
  /// The distance to the next row or column in samples, or 0 if there is only one.
  private let rowStep: Int, columnStep: Int

  /// Creates a scaler for two planes that cover the same area: the outer edges of their outer samples
  /// coincide.
  init(fromWidth: Int, fromHeight: Int, toWidth: Int, toHeight: Int) {
    columns = Axis(from: fromWidth, to: toWidth)
    rows = Axis(from: fromHeight, to: toHeight)
    rowStep = fromHeight > 1 ? fromWidth : 0
    columnStep = fromWidth > 1 ? 1 : 0
    mixed = Raster(width: fromWidth, height: 1, filledWith: 0)
  }

  /// Lets the source cover the region `old`, and the target the region `new`.
  ///
  /// Outside the old region, the values at its edge are repeated.
  func move(from old: PixelRegion, to new: PixelRegion) {
    columns.cover(new.x, new.width, of: old.x, old.width)
    rows.cover(new.y, new.height, of: old.y, old.height)
  }

  /// Scales a plane into another one, without gaps between the rows.
  func scale(_ source: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>) {
    let row = unsafe mixed.base
    let width = columns.positions.width
    for y in 0..<rows.positions.width {
      let top = unsafe source + Int(rows.positions.base[y]) * mixed.width
      let bottom = unsafe top + rowStep
      let weight = unsafe rows.weights.base[y]
      for x in 0..<mixed.width { unsafe row[x] = top[x] + (bottom[x] - top[x]) * weight }
      let out = unsafe target + y * width
      for x in 0..<width {
        let left = unsafe row + Int(columns.positions.base[x])
        unsafe out[x] = left[0] + (left[columnStep] - left[0]) * columns.weights.base[x]
      }
    }
  }
}
