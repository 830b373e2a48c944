import PixelTypes

/// Puts the matte's edge on the picture's edge.
///
/// A joint bilateral filter (Kopf et al. 2007): the alpha near an edge becomes the mean of its
/// neighbours' as far as they are of the same colour. What is far from an edge is not touched. The
/// matte lies on a coarser grid than the frame and is enlarged later, which widens its ramps; a
/// little contrast makes up for that.
final class EdgeRefinement {
  /// Samples on each side that are looked at.
  private static let radius = 2
  /// Beyond this distance of colours, in code values, a neighbour belongs to something else.
  private static let reach = 30.0
  /// Alpha between these is an edge.
  private static let edge: ClosedRange<UInt8> = 8...247
  /// A gap of fewer samples is not worth a run of its own.
  private static let leastGap = 16

  private let kernels: any RowKernels.Type
  private let width: Int
  /// Five rows at a time, so that the filter reads what it has not yet written.
  private let alphas: Raster<UInt8>
  private let cb: Raster<UInt8>, cr: Raster<UInt8>
  private let greatest: Raster<UInt8>, least: Raster<UInt8>
  private let sums: Raster<Float>, weights: Raster<Float>
  private let spatial: [Float]
  /// The rows below this one lie in the buffers.
  private var next = 0

  /// Makes room for mattes of `width` samples a row.
  init(width: Int, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.width = width
    let rows = 2 * Self.radius + 1
    alphas = Raster(width: width, height: rows, filledWith: 0)
    cb = Raster(width: width, height: rows, filledWith: 0)
    cr = Raster(width: width, height: rows, filledWith: 0)
    greatest = Raster(width: width, height: 1, filledWith: 0)
    least = Raster(width: width, height: 1, filledWith: 0)
    sums = Raster(width: width, height: 1, filledWith: 0)
    weights = Raster(width: width, height: 1, filledWith: 0)
    let offsets = -Self.radius...Self.radius
    spatial = offsets.flatMap { dy in
      offsets.map { dx in Float(1 / (1 + Double(dx * dx + dy * dy) / 8)) }
    }
  }

  /// Refines `matte` in place; `picture` has a luma sample for each of its samples.
  func refine(_ matte: Raster<UInt8>, picture: Frame, contrast: Float) {
    next = 0
    for y in 0..<matte.height {
      while next <= min(y + Self.radius, matte.height - 1) {
        buffer(next, matte, picture)
        next += 1
      }
      findEdges(near: y, height: matte.height)
      var x = 0
      while let run = nextRun(from: x) {
        refine(run, y, matte, picture.luma, contrast)
        x = run.upperBound
      }
    }
  }

  private func buffer(_ y: Int, _ matte: Raster<UInt8>, _ picture: Frame) {
    let slot = y % alphas.height
    unsafe alphas.row(slot).update(from: matte.row(y), count: width)
    let pairs = unsafe picture.chroma.row(min(y / 2, picture.chroma.height - 1))
    let (blue, red) = unsafe (cb.row(slot), cr.row(slot))
    for x in 0..<width {
      unsafe blue[x] = pairs[x & ~1]
      unsafe red[x] = pairs[x | 1]
    }
  }

  /// The greatest and the least alpha of each column around row `y`.
  private func findEdges(near y: Int, height: Int) {
    let (high, low) = unsafe (greatest.base, least.base)
    let first = max(y - Self.radius, 0)
    unsafe high.update(from: alphas.row(first % alphas.height), count: width)
    unsafe low.update(from: alphas.row(first % alphas.height), count: width)
    for other in first + 1..<min(y + Self.radius, height - 1) + 1 {
      let row = unsafe alphas.row(other % alphas.height)
      unsafe kernels.maximumRow(high, row, high, width)
      unsafe kernels.minimumRow(low, row, low, width)
    }
  }

  /// The next stretch of columns with an edge in or beside them.
  private func nextRun(from start: Int) -> Range<Int>? {
    func hasEdge(_ x: Int) -> Bool {
      unsafe greatest.base[x] >= Self.edge.lowerBound && least.base[x] <= Self.edge.upperBound
    }
    var x = start
    while x < width, !hasEdge(x) { x += 1 }
    guard x < width else { return nil }
    let first = x
    var end = x + 1
    while x < width, x - end < Self.leastGap {
      if hasEdge(x) { end = x + 1 }
      x += 1
    }
    return max(first - Self.radius, start)..<min(end + Self.radius, width)
  }

  private func refine(
    _ run: Range<Int>, _ y: Int, _ matte: Raster<UInt8>, _ luma: Plane, _ contrast: Float
  ) {
    let (sums, weights) = unsafe (sums.base, weights.base)
    unsafe sums.update(repeating: 0, count: run.count)
    unsafe weights.update(repeating: 0, count: run.count)
    let reach = Float(1 / (Self.reach * Self.reach))
    for dy in -Self.radius...Self.radius {
      guard 0..<matte.height ~= y + dy else { continue }
      for dx in -Self.radius...Self.radius {
        let weight = spatial[(dy + Self.radius) * (2 * Self.radius + 1) + dx + Self.radius]
        // Beyond the picture there is no neighbour.
        let begin = max(run.lowerBound, -dx)
        let end = min(run.upperBound, width - dx)
        guard begin < end else { continue }
        let offset = begin - run.lowerBound
        unsafe kernels.addSimilar(
          sums + offset, weights + offset, alphas.row((y + dy) % alphas.height) + begin + dx,
          colors(y, begin, luma), colors(y + dy, begin + dx, luma), weight, reach, end - begin)
      }
    }
    unsafe kernels.meanOfSimilar(
      sums, weights, contrast, matte.row(y) + run.lowerBound, run.count)
  }

  private func colors(_ y: Int, _ x: Int, _ luma: Plane) -> ColorRows {
    let slot = y % alphas.height
    return unsafe ColorRows(luma: luma.row(y) + x, cb: cb.row(slot) + x, cr: cr.row(slot) + x)
  }
}
