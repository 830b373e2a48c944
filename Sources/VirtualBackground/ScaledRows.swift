import PixelTypes

/// Where the samples of a scaled row or column lie in the source: a position and a weight each.
struct ScaleAxis {
  /// Index of the sample at or before the place.
  let positions: Raster<UInt16>
  /// Weight of the sample after it, out of 256.
  let weights: Raster<UInt8>

  /// Maps output sample `i` to the source place `(i + 0.5) * scale - 0.5`, clamped to the
  /// `sourceCount` samples.
  init(count: Int, sourceCount: Int, scale: Double) {
    positions = Raster(width: count, height: 1, filledWith: 0)
    weights = Raster(width: count, height: 1, filledWith: 0)
    for i in 0..<count {
      let place = min(max((Double(i) + 0.5) * scale - 0.5, 0), Double(sourceCount - 1))
      let fixed = Int((place * 256).rounded())
      unsafe positions.base[i] = UInt16(fixed >> 8)
      unsafe weights.base[i] = UInt8(fixed & 255)
    }
  }
}

/// Where the samples of a scaled picture lie in the source.
struct ScaleAxes {
  /// For each sample of a row.
  let horizontal: ScaleAxis
  /// For each row.
  let vertical: ScaleAxis
}

/// Reads the rows of a raster scaled bilinearly, from top to bottom.
///
/// Each source row is scaled horizontally once and kept for the output rows that lie between it
/// and the next one.
final class ScaledRows {
  private let kernels: any RowKernels.Type
  private let axes: ScaleAxes
  private let ofPairs: Bool
  private let width: Int
  private let expanded: Raster<UInt8>
  private let mixed: Raster<UInt8>
  private var held: (even: Int, odd: Int) = (-1, -1)

  /// Makes a reader of rows; `ofPairs` for interleaved chroma, where the horizontal axis counts
  /// pairs.
  init(_ axes: ScaleAxes, ofPairs: Bool = false, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.axes = axes
    self.ofPairs = ofPairs
    width = axes.horizontal.positions.width * (ofPairs ? 2 : 1)
    expanded = Raster(width: width, height: 2, filledWith: 0)
    mixed = Raster(width: width, height: 1, filledWith: 0)
  }

  /// Forgets the rows of an earlier picture; called before the first row of each picture.
  func begin() {
    held = (-1, -1)
  }

  /// Row `y` of the scaled picture, valid until the next call.
  func row(_ y: Int, of source: Raster<UInt8>) -> UnsafePointer<UInt8> {
    let position = unsafe Int(axes.vertical.positions.base[y])
    let weight = unsafe Int(axes.vertical.weights.base[y])
    let top = unsafe expandedRow(position, of: source)
    if weight == 0 { return unsafe top }
    let bottom = unsafe expandedRow(min(position + 1, source.height - 1), of: source)
    unsafe kernels.mixRows(top, bottom, weight, mixed.base, width)
    return unsafe UnsafePointer(mixed.base)
  }

  private func expandedRow(_ y: Int, of source: Raster<UInt8>) -> UnsafePointer<UInt8> {
    let slot = y & 1
    let out = unsafe expanded.row(slot)
    if (slot == 0 ? held.even : held.odd) != y {
      let horizontal = axes.horizontal
      let count = horizontal.positions.width
      if ofPairs {
        unsafe kernels.expandPairs(
          source.row(y), horizontal.positions.base, horizontal.weights.base, out, count)
      } else {
        unsafe kernels.expandRow(
          source.row(y), horizontal.positions.base, horizontal.weights.base, out, count)
      }
      if slot == 0 { held.even = y } else { held.odd = y }
    }
    return unsafe UnsafePointer(out)
  }
}
