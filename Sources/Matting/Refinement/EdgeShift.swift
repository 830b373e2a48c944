import PixelTypes
import Processor

/// Moves the edges of mattes by dilation or erosion.
///
/// Allocates memory only when it is created. Not thread-safe.
final class EdgeShift {
  private let other: Raster<UInt8>
  private let padded: Raster<UInt8>

  init(width: Int, height: Int) {
    other = Raster(width: width, height: height, filledWith: 0)
    padded = Raster(width: width == 0 ? 0 : width + 2, height: 1, filledWith: 0)
  }

  /// Moves the edge outward by `shift` samples, or inward if it is negative.
  ///
  /// Steps with a square and with a cross alternate, which approximates a disc. A fraction of a
  /// step is a mixture of the matte before and after it.
  func move(_ matte: Raster<UInt8>, by shift: Double) {
    let grows = shift > 0
    let amount = abs(shift)
    // More steps than the matte has samples per side have no effect.
    let whole = Int(min(amount, Double(max(matte.width, matte.height))))
    let part = Int(((amount - amount.rounded(.down)) * 256).rounded())
    for step in 0..<whole {
      extremum(of: matte, grows: grows, square: step % 2 == 0)
      unsafe matte.base.update(from: other.base, count: matte.width * matte.height)
    }
    guard part > 0 else { return }
    extremum(of: matte, grows: grows, square: whole % 2 == 0)
    for y in 0..<matte.height {
      let row = unsafe RowBetween(top: matte.row(y), bottom: other.row(y), weight: part)
      unsafe kernels.mixRows(row, matte.row(y), matte.width)
    }
  }

  /// Stores the maximum or minimum of each sample and its neighbours in `other`.
  private func extremum(of matte: Raster<UInt8>, grows: Bool, square: Bool) {
    let width = matte.width
    for y in 0..<matte.height {
      let above = unsafe matte.row(max(y - 1, 0))
      let row = unsafe matte.row(y)
      let below = unsafe matte.row(min(y + 1, matte.height - 1))
      let out = unsafe other.row(y)
      unsafe combine(above, below, into: out, width, grows: grows)
      unsafe combine(out, row, into: out, width, grows: grows)
      // The neighbours on both sides: from the columns' extrema for a square, from the row for a
      // cross.
      let side = unsafe square ? out : row
      unsafe (padded.base + 1).update(from: side, count: width)
      unsafe padded.base[0] = side[0]
      unsafe padded.base[width + 1] = side[width - 1]
      unsafe combine(out, padded.base, into: out, width, grows: grows)
      unsafe combine(out, padded.base + 2, into: out, width, grows: grows)
    }
  }

  /// Stores the maxima or minima of two rows in `out`, which may be one of them.
  func combine(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>,
    _ count: Int, grows: Bool
  ) {
    // A kernel in a variable would be a closure, allocated for each call.
    if grows {
      unsafe kernels.maximumRow(a, b, out, count)
    } else {
      unsafe kernels.minimumRow(a, b, out, count)
    }
  }
}
