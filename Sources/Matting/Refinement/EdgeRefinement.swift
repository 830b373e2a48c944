import PixelTypes
import Processor

/// Aligns the matte's edge with the picture's edge.
///
/// A joint bilateral filter (Kopf et al. 2007): the alpha near an edge becomes the mean alpha of
/// neighbours with a similar colour. Samples far from an edge are not changed.
///
/// The matte is coarser than the frame. Its later enlargement widens the ramps at its edges, so a
/// little contrast is added.
final class EdgeRefinement {
  /// Samples on each side that the filter reads.
  private static let radius = 2
  /// Colour distance, in code values, beyond which a neighbour belongs to another object.
  private static let maxColorDistance = 30.0
  /// The minimum gap between two runs in samples, because each run has a cost.
  private static let minGap = 16

  private let width: Int
  /// Copies of five rows, so that the filter only reads unmodified samples.
  ///
  /// Each row is extended on both sides with its first and its last sample.
  private let alphas: Raster<UInt8>, lumas: Raster<UInt8>
  private let cb: Raster<UInt8>, cr: Raster<UInt8>
  private let maxima: Raster<UInt8>, minima: Raster<UInt8>
  private let sums: Raster<Float>, weights: Raster<Float>
  private let spatial: Raster<Float>
  private let offsets: Raster<Int>

  init(width: Int) {
    self.width = width
    let size = 2 * Self.radius + 1
    func rows() -> Raster<UInt8> {
      Raster(width: width + 2 * Self.radius, height: size, filledWith: 0)
    }
    (alphas, lumas, cb, cr) = (rows(), rows(), rows(), rows())
    maxima = Raster(width: width, height: 1, filledWith: 0)
    minima = Raster(width: width, height: 1, filledWith: 0)
    sums = Raster(width: width, height: 1, filledWith: 0)
    weights = Raster(width: width, height: 1, filledWith: 0)
    spatial = Raster(width: size, height: size, filledWith: 0)
    offsets = Raster(width: size, height: 1, filledWith: 0)
    for y in 0..<size {
      for x in 0..<size {
        let (dx, dy) = (x - Self.radius, y - Self.radius)
        unsafe spatial.row(y)[x] = Float(1 / (1 + Double(dx * dx + dy * dy) / 8))
      }
    }
  }

  /// Refines `matte` in place, with the luma of `picture` on the same grid.
  func refine(_ matte: Raster<UInt8>, picture: Frame, contrast: Float) {
    var next = 0
    for y in 0..<matte.height {
      while next <= min(y + Self.radius, matte.height - 1) {
        buffer(next, matte, picture)
        next += 1
      }
      let rows = max(y - Self.radius, 0)...min(y + Self.radius, matte.height - 1)
      findEdges(in: max(y - 1, 0)...min(y + 1, matte.height - 1))
      var x = 0
      while let run = nextRun(from: x) {
        refine(run, y, rows, matte, contrast)
        x = run.upperBound
      }
    }
  }

  private func buffer(_ y: Int, _ matte: Raster<UInt8>, _ picture: Frame) {
    let slot = y % alphas.height
    let (alpha, luma) = unsafe (alphas.row(slot) + Self.radius, lumas.row(slot) + Self.radius)
    unsafe alpha.update(from: matte.row(y), count: width)
    unsafe luma.update(from: picture.luma.row(y), count: width)
    let pairs = unsafe picture.chroma.row(min(y / 2, picture.chroma.height - 1))
    let (blue, red) = unsafe (cb.row(slot) + Self.radius, cr.row(slot) + Self.radius)
    for x in 0..<width {
      unsafe blue[x] = pairs[x & ~1]
      unsafe red[x] = pairs[x | 1]
    }
    for i in 1...Self.radius {
      unsafe extend(alpha, by: i)
      unsafe extend(luma, by: i)
      unsafe extend(blue, by: i)
      unsafe extend(red, by: i)
    }
  }

  private func extend(_ row: UnsafeMutablePointer<UInt8>, by i: Int) {
    unsafe row[-i] = row[0]
    unsafe row[width - 1 + i] = row[width - 1]
  }

  /// Finds the maximum and minimum alpha per column within `rows`.
  private func findEdges(in rows: ClosedRange<Int>) {
    let (high, low) = unsafe (maxima.base, minima.base)
    let first = unsafe alphas.row(rows.lowerBound % alphas.height) + Self.radius
    unsafe high.update(from: first, count: width)
    unsafe low.update(from: first, count: width)
    for y in rows.dropFirst() {
      let row = unsafe alphas.row(y % alphas.height) + Self.radius
      unsafe kernels.maximumRow(high, row, high, width)
      unsafe kernels.minimumRow(low, row, low, width)
    }
  }

  /// Returns the next run of columns with an edge, and one column on each side.
  private func nextRun(from start: Int) -> Range<Int>? {
    let (high, low) = unsafe (maxima.base, minima.base)
    func hasEdge(_ x: Int) -> Bool {
      unsafe high[x] >= Matte.edge.lowerBound && low[x] <= Matte.edge.upperBound
    }
    // Alpha is below 8 if its upper five bits are all 0, and above 247 if they are all 1.
    let upperBits: UInt64 = 0xF8F8_F8F8_F8F8_F8F8
    func isFlat(_ x: Int) -> Bool {
      unsafe UnsafeRawPointer(high + x).loadUnaligned(as: UInt64.self) & upperBits == 0
        || ~UnsafeRawPointer(low + x).loadUnaligned(as: UInt64.self) & upperBits == 0
    }
    var x = start
    while x + 8 <= width, isFlat(x) { x += 8 }
    while x < width, !hasEdge(x) { x += 1 }
    guard x < width else { return nil }
    let first = x
    var end = x + 1
    while x < width, x - end < Self.minGap {
      if hasEdge(x) { end = x + 1 }
      x += 1
    }
    return max(first - 1, start)..<min(end + 1, width)
  }

  private func refine(
    _ run: Range<Int>, _ y: Int, _ rows: ClosedRange<Int>, _ matte: Raster<UInt8>,
    _ contrast: Float
  ) {
    for i in 0..<offsets.width {
      let row = min(max(y + i - Self.radius, rows.lowerBound), rows.upperBound)
      unsafe offsets.base[i] = row % alphas.height * alphas.width
    }
    let first = Self.radius + run.lowerBound
    unsafe kernels.refineRow(
      MattePlanes(
        alpha: alphas.base + first, luma: lumas.base + first, cb: cb.base + first,
        cr: cr.base + first), offsets.base, spatial.base,
      Float(1 / (Self.maxColorDistance * Self.maxColorDistance)), contrast, sums.base, weights.base,
      matte.row(y) + run.lowerBound, run.count)
  }
}
