import PixelTypes
import Testing

@testable import VirtualBackground

/// Mattes painted by hand, one for each inference.
struct MatteScene {
  static let format = FrameFormat(
    width: 320, height: 180, colorimetry: Colorimetry(matrix: .bt709, range: .limited))

  let silhouettes = Silhouettes(grid: MatteGrid(format: format, shift: 0))
  var keep = EffectSettings.Keep.everyone
  /// Ticks from one inference to the next.
  var ticks = 1

  /// What is painted into a matte of 320 x 180.
  struct Painter {
    let matte = Raster<UInt8>(width: 320, height: 180, filledWith: 0)

    /// An ellipse; `soft` is the width of its rim.
    func ellipse(
      _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double, alpha: Double = 255,
      soft: Double = 3
    ) {
      let (reachX, reachY) = (radiusX + 4 * soft, radiusY + 4 * soft)
      let rows = min(max(Int(y - reachY), 0), 180)..<min(max(Int(y + reachY), 0), 180)
      let columns = min(max(Int(x - reachX), 0), 320)..<min(max(Int(x + reachX), 0), 320)
      for row in rows {
        for column in columns {
          let dx = (Double(column) - x) / radiusX
          let dy = (Double(row) - y) / radiusY
          let inside = (1 - (dx * dx + dy * dy).squareRoot()) * min(radiusX, radiusY)
          let value = UInt8(min(max(inside / soft + 0.5, 0), 1) * alpha)
          let sample = unsafe matte.row(row) + column
          unsafe sample.pointee = max(sample.pointee, value)
        }
      }
    }

    /// Head and shoulders, 110 wide, with the middle at `x`.
    func person(_ x: Double, scale: Double = 1) {
      ellipse(x, 180 - 115 * scale, 25 * scale, 32 * scale)
      ellipse(x, 180, 55 * scale, 90 * scale)
    }

    /// Sets a rectangle to a value.
    func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ alpha: UInt8) {
      for y in rows { for x in columns { unsafe matte.row(y)[x] = alpha } }
    }
  }

  /// What became of a matte.
  struct Result: CustomTestStringConvertible {
    var testDescription: String { "\(kept)" }
    let before: [UInt8], after: [UInt8]
    let kept: KeptSilhouette

    func alpha(_ x: Int, _ y: Int) -> Int { Int(after[y * 320 + x]) }
    /// Whether nothing was changed.
    var isUntouched: Bool { before == after }
    /// Whether all of the columns are empty now; alpha of 1 or 2 is not seen.
    func isEmpty(_ columns: Range<Int>) -> Bool {
      (0..<180).allSatisfy { y in columns.allSatisfy { alpha($0, y) < 3 } }
    }
    /// Whether nothing was changed in the columns.
    func isUntouched(_ columns: Range<Int>) -> Bool {
      (0..<180).allSatisfy { y in
        columns.allSatisfy { before[y * 320 + $0] == after[y * 320 + $0] }
      }
    }
  }

  /// The next inference gives what `paint` paints.
  func infer(_ paint: (Painter) -> Void) -> Result {
    let painter = Painter()
    paint(painter)
    let before = samples(of: painter.matte)
    silhouettes.apply(to: painter.matte, keep: keep, after: ticks)
    return Result(before: before, after: samples(of: painter.matte), kept: silhouettes.kept)
  }

  /// The same matte many times; returns what became of the last.
  @discardableResult
  func infer(times: Int, _ paint: (Painter) -> Void) -> Result {
    for _ in 1..<times { _ = infer(paint) }
    return infer(paint)
  }

  private func samples(of matte: Raster<UInt8>) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: matte.base, count: matte.width * matte.height))
  }
}

extension Silhouettes {
  /// Does the same where the network saw the whole frame, and no face told of another person.
  func apply(to matte: Raster<UInt8>, keep: EffectSettings.Keep, after ticks: Int) {
    apply(
      to: matte, keep: keep, after: ticks, seen: 0..<matte.width, isDivided: false,
      belongsToOther: { _, _ in false })
  }
}

extension SeenFace {
  /// Makes a face that is seen for sure.
  init(id: Int, x: Double, y: Double, width: Double) {
    self.init(id: id, x: x, y: y, width: width, score: 1)
  }
}
