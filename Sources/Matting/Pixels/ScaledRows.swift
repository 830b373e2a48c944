import CProcessor
import PixelTypes
import Processor

/// The source positions and weights of the samples of a scaled row or column.
package struct ScaleAxis {
  /// Index of the source sample at or before the position.
  package let positions: Raster<UInt16>
  /// Weight of the next source sample, out of 256.
  package let weights: Raster<UInt8>

  /// Maps output sample `i` to the source position `(i + 0.5) * scale - 0.5`, clamped to the
  /// `sourceCount` samples.
  package init(count: Int, sourceCount: Int, scale: Double) {
    positions = Raster(width: count, height: 1, filledWith: 0)
    weights = Raster(width: count, height: 1, filledWith: 0)
    updateTaps(origin: 0, scale: scale, sourceCount: sourceCount)
  }

  /// Maps output sample `i` to the source position `origin + (i + 0.5) * scale - 0.5`.
  package func updateTaps(origin: Double, scale: Double, sourceCount: Int) {
    for i in 0..<positions.width {
      let position = min(max(origin + (Double(i) + 0.5) * scale - 0.5, 0), Double(sourceCount - 1))
      let fixed = Int((position * 256).rounded())
      unsafe positions.base[i] = UInt16(fixed >> 8)
      unsafe weights.base[i] = UInt8(fixed & 255)
    }
  }
}

/// Reads the rows of a raster scaled bilinearly, from top to bottom.
///
/// Each source row is scaled horizontally once, and kept for all output rows between it and the
/// next source row.
package final class ScaledRows {
  private let horizontal: Horizontal
  /// Whether rows are not scaled horizontally.
  private let isPlain: Bool
  private let vertical: ScaleAxis
  private let width: Int
  private let expanded: Raster<UInt8>
  private let mixed: Raster<UInt8>
  private var held: (even: Int, odd: Int) = (-1, -1)

  /// The horizontal scaling.
  package enum Horizontal {
    /// To the single samples of an axis.
    case axis(ScaleAxis)
    /// To the sample pairs of an axis.
    case pairAxis(ScaleAxis)
    /// To `count` samples or pairs, enlarged `1 << shift` times.
    case enlarged(shift: Int, count: Int, ofPairs: Bool)
  }

  package init(_ horizontal: Horizontal, vertical: ScaleAxis) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
    if case .enlarged(shift: 0, _, _) = horizontal { isPlain = true } else { isPlain = false }
    width =
      switch horizontal {
      case .axis(let axis): axis.positions.width
      case .pairAxis(let axis): 2 * axis.positions.width
      case .enlarged(_, let count, let ofPairs): ofPairs ? 2 * count : count
      }
    expanded = Raster(width: width, height: 2, filledWith: 0)
    mixed = Raster(width: width, height: 1, filledWith: 0)
  }

  /// Discards the rows of the previous picture.
  ///
  /// Call this before the first row of each picture.
  package func begin() { held = (-1, -1) }

  /// Returns row `y` of the scaled picture, valid until the next call.
  package func row(_ y: Int, of source: Raster<UInt8>) -> UnsafePointer<UInt8> {
    let between = between(y, of: source.plane)
    if between.weight == 0 { return unsafe between.top }
    unsafe kernels.mixRows(between, mixed.base, width)
    return unsafe UnsafePointer(mixed.base)
  }

  /// Returns the two scaled rows around row `y` of the scaled picture, and their weight.
  package func between(_ y: Int, of source: Plane) -> RowBetween {
    let position = unsafe Int(vertical.positions.base[y])
    let weight = unsafe Int(vertical.weights.base[y])
    let top = unsafe expandedRow(position, of: source)
    let bottom =
      unsafe weight == 0 ? top : expandedRow(min(position + 1, source.height - 1), of: source)
    return unsafe RowBetween(top: top, bottom: bottom, weight: weight)
  }

  private func expandedRow(_ y: Int, of source: Plane) -> UnsafePointer<UInt8> {
    if isPlain { return unsafe UnsafePointer(source.row(y)) }
    let slot = y & 1
    let out = unsafe expanded.row(slot)
    if (slot == 0 ? held.even : held.odd) != y {
      unsafe expand(source.row(y), into: out)
      if slot == 0 { held.even = y } else { held.odd = y }
    }
    return unsafe UnsafePointer(out)
  }

  private func expand(_ row: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>) {
    switch horizontal {
    case .axis(let axis):
      unsafe kernels.expandRow(row, axis.positions.base, axis.weights.base, out, width)
    case .pairAxis(let axis):
      unsafe kernels.expandPairs(row, axis.positions.base, axis.weights.base, out, width / 2)
    case .enlarged(let shift, let count, ofPairs: false):
      unsafe kernels.enlargeRow(row, shift, out, count)
    case .enlarged(let shift, let count, ofPairs: true):
      unsafe kernels.enlargePairs(row, shift, out, count)
    }
  }
}

extension Plane {
  /// Prefetches row `y` into the processor's cache, if the plane has that row.
  package func prefetch(row y: Int) {
    guard 0..<height ~= y else { return }
    unsafe prefetch_bytes(row(y), width)
  }
}
