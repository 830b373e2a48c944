import InferenceTypes
import PixelTypes

/// Scales a matte to the size of its picture, by bilinear interpolation.
///
/// Matte and picture cover the same area: the outer edges of their outer samples coincide.
final class MatteScaler {
  /// The source positions along one axis.
  private struct Axis {
    /// The index of the first of the two source samples, for each target sample.
    let positions: Raster<Int32>
    /// The weight of the second source sample, for each target sample.
    let weights: Raster<Float>

    init(from source: Int, to target: Int) {
      positions = Raster(width: target, height: 1, filledWith: 0)
      weights = Raster(width: target, height: 1, filledWith: 0)
      let scale = Double(source) / Double(target)
      for i in 0..<target {
        let center = min(max((Double(i) + 0.5) * scale - 0.5, 0), Double(source - 1))
        // The last source sample can only be the second of a pair.
        let position = min(Int(center), max(source - 2, 0))
        unsafe positions.base[i] = Int32(position)
        unsafe weights.base[i] = Float(center - Double(position))
      }
    }
  }

  private let sourceWidth: Int
  private let columns: Axis, rows: Axis
  /// A mix of two adjacent source rows.
  private let mixed: Raster<Float>
  private let matte: Raster<Float>
  /// The distance to the next row or column in samples, or 0 if there is only one.
  private let rowStep: Int, columnStep: Int

  init(fromWidth: Int, fromHeight: Int, toWidth: Int, toHeight: Int) {
    sourceWidth = fromWidth
    columns = Axis(from: fromWidth, to: toWidth)
    rows = Axis(from: fromHeight, to: toHeight)
    rowStep = fromHeight > 1 ? fromWidth : 0
    columnStep = fromWidth > 1 ? 1 : 0
    mixed = Raster(width: fromWidth, height: 1, filledWith: 0)
    matte = Raster(width: toWidth, height: toHeight, filledWith: 0)
  }

  /// Scales a matte.
  ///
  /// The result is valid until the next call.
  func scale(_ source: UnsafePointer<Float>) -> RawMatte {
    let row = unsafe mixed.base
    for y in 0..<matte.height {
      let top = unsafe source + Int(rows.positions.base[y]) * sourceWidth
      let bottom = unsafe top + rowStep
      let weight = unsafe rows.weights.base[y]
      for x in 0..<sourceWidth { unsafe row[x] = top[x] + (bottom[x] - top[x]) * weight }
      let out = unsafe matte.row(y)
      for x in 0..<matte.width {
        let left = unsafe row + Int(columns.positions.base[x])
        unsafe out[x] = left[0] + (left[columnStep] - left[0]) * columns.weights.base[x]
      }
    }
    return unsafe RawMatte(base: matte.base, width: matte.width, height: matte.height)
  }
}
