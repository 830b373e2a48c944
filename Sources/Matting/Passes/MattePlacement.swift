import PixelTypes
import Processor

/// Scales a network's matte from a part of the frame to a grid over the whole frame.
final class MattePlacement {
  private let grid: MatteGrid
  /// The matte in bytes, at the size of the network's output.
  private let plain: Raster<UInt8>
  private let horizontal: ScaleAxis, vertical: ScaleAxis
  private let rows: ScaledRows
  /// The region for which the axes were computed, and the part of the grid inside the region.
  private var placed: (view: PixelRegion, columns: Range<Int>, rows: Range<Int>)?

  init(width: Int, height: Int, grid: MatteGrid) {
    self.grid = grid
    plain = Raster(width: width, height: height, filledWith: 0)
    horizontal = ScaleAxis(count: grid.width, sourceCount: width, scale: 1)
    vertical = ScaleAxis(count: grid.height, sourceCount: height, scale: 1)
    rows = ScaledRows(.axis(horizontal), vertical: vertical)
  }

  /// Returns whether this object was created for mattes of this size.
  func isCompatible(width: Int, height: Int) -> Bool {
    width == plain.width && height == plain.height
  }

  /// Writes a matte, with rows `stride` floats apart, to the region `view`.
  ///
  /// All other samples become 0.
  func place(
    _ matte: UnsafePointer<Float>, stride: Int, view: PixelRegion, into out: Raster<UInt8>
  ) {
    for y in 0..<plain.height {
      unsafe kernels.quantize(matte + y * stride, plain.row(y), plain.width)
    }
    place(view, into: out)
  }

  /// Writes a mask, which must have the size of this object's mattes, to its region.
  ///
  /// All other samples become 0.
  func place(_ mask: PersonMask, into out: Raster<UInt8>) {
    for y in 0..<plain.height {
      let (source, target) = unsafe (mask.samples.row(y), plain.row(y))
      for x in 0..<plain.width {
        unsafe target[x] = mask.alphas.base[Int(source[x])]
      }
    }
    place(mask.region, into: out)
  }

  /// Writes the contents of `plain` to the region `view`.
  private func place(_ view: PixelRegion, into out: Raster<UInt8>) {
    let (columns, lines) = setRegion(view)
    rows.begin()
    for y in 0..<out.height {
      let row = unsafe out.row(y)
      guard lines.contains(y) else {
        unsafe row.update(repeating: 0, count: out.width)
        continue
      }
      unsafe row.update(from: rows.row(y, of: plain), count: out.width)
      unsafe row.update(repeating: 0, count: columns.lowerBound)
      unsafe (row + columns.upperBound).update(repeating: 0, count: out.width - columns.upperBound)
    }
  }

  private func setRegion(_ view: PixelRegion) -> (columns: Range<Int>, rows: Range<Int>) {
    if let placed, placed.view == view { return (placed.columns, placed.rows) }
    func part(_ axis: ScaleAxis, _ first: Int, _ length: Int, _ sourceCount: Int) -> Range<Int> {
      let scale = Double(sourceCount) / Double(length)
      axis.updateTaps(
        origin: -Double(first) * scale, scale: grid.step * scale, sourceCount: sourceCount)
      // Use the samples with centres in the region.
      let begin = Int((Double(first) / grid.step - 0.5).rounded(.up))
      let end = Int((Double(first + length) / grid.step - 0.5).rounded(.up))
      return max(begin, 0)..<min(max(end, 0), axis.positions.width)
    }
    var columns = part(horizontal, view.x, view.width, plain.width)
    var lines = part(vertical, view.y, view.height, plain.height)
    // The centre of the last sample of the grid can be outside of the frame.
    if Double(view.endX) > Double(grid.width - 1) * grid.step {
      columns = columns.lowerBound..<grid.width
    }
    if Double(view.endY) > Double(grid.height - 1) * grid.step {
      lines = lines.lowerBound..<grid.height
    }
    placed = (view, columns, lines)
    return (columns, lines)
  }
}
