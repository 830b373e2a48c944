import Matting
import PixelTypes
import Processor

/// Applies an `EdgeTreatment` to the pixels of a frame, row by row from top to bottom.
///
/// The colours of a treatment are known per cell of an `EdgeGrid`. A row of cells is enlarged
/// horizontally when it is first needed for a row of the frame, and only along the edge.
///
/// Safety: the pointers point into planes that this object owns, and into the spans of the
/// treatment to which it has a reference. The pointers save time: counting references for each row
/// would take as long as the work on the row.
@safe final class EdgeRows {
  let grid: EdgeGrid
  private let lumaPlanes: Planes, chromaPlanes: Planes
  private var treatment: EdgeTreatment?
  private var (despills, fades, lights) = (false, false, false)
  private var lightCurve: LightCurve?
  private var isChroma = false
  /// The rows of the planes around the selected row, and the spans of the selected row.
  private var rowPair: RowPair?
  private var bounds = unsafe UnsafeBufferPointer<Int32>(start: nil, count: 0)

  /// The two rows of each plane that enclose a row of the frame.
  private struct RowPair {
    let person: RowBetween, room: RowBetween, light: RowBetween
    let range: ClosedRange<UInt8>
  }

  /// The planes of luma or of chroma.
  private final class Planes {
    let horizontal: ScaleAxis, vertical: ScaleAxis
    let range: ClosedRange<UInt8>
    let ofPairs: Bool
    /// Enlarged rows: row `y % 3` contains row `y` of the cells.
    let person: Raster<UInt8>, room: Raster<UInt8>, light: Raster<UInt8>
    /// The row of cells for which the enlarged rows are valid, or -1 if they are invalid.
    var row = -1

    init(
      _ horizontal: ScaleAxis, _ vertical: ScaleAxis, ofPairs: Bool, range: ClosedRange<UInt8>
    ) {
      (self.horizontal, self.vertical) = (horizontal, vertical)
      (self.ofPairs, self.range) = (ofPairs, range)
      let width = horizontal.positions.width * (ofPairs ? 2 : 1)
      person = Raster(width: width, height: 3, filledWith: 0)
      room = Raster(width: width, height: 3, filledWith: 0)
      light = Raster(width: width, height: 3, filledWith: 0)
    }
  }

  init(format: FrameFormat, grid: EdgeGrid) {
    self.grid = grid
    func axis(_ count: Int, cells: Int, step: Int) -> ScaleAxis {
      ScaleAxis(count: count, sourceCount: cells, scale: Double(step) / Double(grid.step))
    }
    let isLimited = format.colorimetry.range == .limited
    lumaPlanes = Planes(
      axis(2 * format.chromaWidth, cells: grid.width, step: 1),
      axis(format.height, cells: grid.height, step: 1),
      ofPairs: false, range: isLimited ? 16...235 : 0...255)
    chromaPlanes = Planes(
      axis(format.chromaWidth, cells: grid.width, step: 2),
      axis(format.chromaHeight, cells: grid.height, step: 2),
      ofPairs: true, range: isLimited ? 16...240 : 0...255)
  }

  /// Discards the enlarged rows of the previous frame.
  ///
  /// Call this before the first row of each frame.
  func begin(_ treatment: EdgeTreatment) {
    self.treatment = treatment
    despills = treatment.despills
    fades = treatment.fades
    lights = treatment.light != nil
    lightCurve = treatment.lightCurve
    lumaPlanes.row = -1
    chromaPlanes.row = -1
  }

  /// Selects row `y` of luma or of chroma of the frame.
  func select(_ y: Int, ofChroma isChroma: Bool) {
    self.isChroma = isChroma
    if isChroma {
      select(y, y >> (grid.shift - 1), chromaPlanes)
    } else {
      select(y, y >> grid.shift, lumaPlanes)
    }
  }

  /// The number of spans of the selected row.
  var spanCount: Int { unsafe bounds.count / 2 }

  /// Returns the bytes of a span of the selected row, with spans numbered from left to right.
  func span(_ number: Int) -> Range<Int> {
    unsafe Int(bounds[2 * number])..<Int(bounds[2 * number + 1])
  }

  /// Treats the bytes in `part` of the selected row, which must be inside one of its spans.
  func treat(_ row: UnsafeMutablePointer<UInt8>, _ part: Range<Int>, by alpha: RowBetween) {
    guard let rowPair else { return }
    let (first, count) = (part.lowerBound, part.count)
    let (person, room) = (rowPair.person + first, rowPair.room + first)
    if despills { unsafe kernels.despillRow(row + first, person, room, alpha + first, count) }
    if fades { unsafe kernels.fadeRow(row + first, person, alpha + first, count) }
    // Despilling needs the frame's own colours, and the light of the background is final.
    unsafe relight(row, part)
    if lights {
      let (low, high) = (rowPair.range.lowerBound, rowPair.range.upperBound)
      unsafe kernels.addLight(row + first, rowPair.light + first, low, high, count)
    }
  }

  /// Applies the light curve to bytes of the selected row, as `treat` does for the spans.
  func relight(_ row: UnsafeMutablePointer<UInt8>, _ bytes: Range<Int>) {
    guard let lightCurve else { return }
    if isChroma {
      unsafe kernels.relightPairs(row + bytes.lowerBound, lightCurve, bytes.count / 2)
    } else {
      unsafe kernels.relightRow(row + bytes.lowerBound, lightCurve, bytes.count)
    }
  }

  private func select(_ y: Int, _ cellRow: Int, _ planes: Planes) {
    guard let treatment else { return }
    unsafe bounds = treatment.spans.bounds(inRow: cellRow)
    if spanCount == 0 { return }
    if planes.row != cellRow {
      enlarge(around: cellRow, treatment, planes)
      planes.row = cellRow
    }
    let position = unsafe Int(planes.vertical.positions.base[y])
    let (top, bottom) = (position % 3, min(position + 1, grid.height - 1) % 3)
    func between(_ rows: Raster<UInt8>) -> RowBetween {
      unsafe RowBetween(
        top: rows.row(top), bottom: rows.row(bottom), weight: Int(planes.vertical.weights.base[y]))
    }
    rowPair = RowPair(
      person: between(planes.person), room: between(planes.room), light: between(planes.light),
      range: planes.range)
  }

  private func enlarge(around cellRow: Int, _ treatment: EdgeTreatment, _ planes: Planes) {
    // Skip rows that the previous row of cells has already enlarged.
    let before =
      unsafe planes.row == cellRow - 1 && cellRow > 0
      ? treatment.spans.bounds(inRow: cellRow - 1) : UnsafeBufferPointer(start: nil, count: 0)
    for number in 0..<spanCount {
      let span = span(number)
      let isKnown = (0..<before.count / 2).contains {
        unsafe span.lowerBound >= before[2 * $0] && span.upperBound <= before[2 * $0 + 1]
      }
      let first = isKnown ? cellRow + 1 : max(cellRow - 1, 0)
      for y in first..<min(cellRow + 2, grid.height) {
        let (person, room) = treatment.colors
        if despills || fades {
          enlarge(planes.ofPairs ? person.chroma : person.luma, y, span, planes, planes.person)
        }
        if despills {
          enlarge(planes.ofPairs ? room.chroma : room.luma, y, span, planes, planes.room)
        }
        if let light = treatment.light {
          enlarge(planes.ofPairs ? light.chroma : light.luma, y, span, planes, planes.light)
        }
      }
    }
  }

  private func enlarge(
    _ cells: Raster<UInt8>, _ y: Int, _ span: Range<Int>, _ planes: Planes, _ out: Raster<UInt8>
  ) {
    let axis = planes.horizontal
    let (first, count) = (span.lowerBound, span.count)
    if planes.ofPairs {
      unsafe kernels.expandPairs(
        cells.row(y), axis.positions.base + first / 2, axis.weights.base + first / 2,
        out.row(y % 3) + first, count / 2)
    } else {
      unsafe kernels.expandRow(
        cells.row(y), axis.positions.base + first, axis.weights.base + first,
        out.row(y % 3) + first, count)
    }
  }
}
