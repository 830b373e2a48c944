import Matting
import PersonSelection
import PixelTypes

/// Mattes that a test paints, one per inference.
package struct MatteScene {
  package static let format = FrameFormat(width: 320, height: 180)

  package let filter: ComponentFilter
  package let selector: OnePersonSelector
  package var keep = MatteSettings.Keep.everyone
  /// Ticks from one inference to the next.
  package var ticks = 1
  /// The columns that the network sees.
  package var seen = 0..<320
  /// The frame of all mattes, of one colour unless a test paints it.
  package let picture = TestPicture(format: format)

  package init(grid: MatteGrid = MatteGrid(format: format, shift: 0)) {
    filter = ComponentFilter(grid: grid)
    selector = OnePersonSelector(grid: grid, faces: nil)
  }

  /// Paints a matte of 320 x 180.
  package struct Painter {
    package let matte = Raster<UInt8>(width: 320, height: 180, filledWith: 0)

    /// Begins with an empty matte.
    package init() {}

    /// Paints an ellipse.
    ///
    /// `soft` is the width of its soft edge.
    package func ellipse(
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

    /// Paints head and shoulders, 110 wide, with the middle at `x`.
    package func person(_ x: Double, scale: Double = 1) {
      ellipse(x, 180 - 115 * scale, 25 * scale, 32 * scale)
      ellipse(x, 180, 55 * scale, 90 * scale)
    }

    /// Sets a rectangle to a value.
    package func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ alpha: UInt8) {
      for y in rows { for x in columns { unsafe matte.row(y)[x] = alpha } }
    }
  }

  /// A matte before and after the selection of people.
  package struct Result: CustomStringConvertible {
    package var description: String { "\(keptArea) samples kept" }
    package let before: [UInt8], after: [UInt8]

    /// The number of samples in the remaining components.
    package var keptArea: Int { after.count { $0 >= ComponentFilter.threshold } }

    package func alpha(_ x: Int, _ y: Int) -> Int { Int(after[y * 320 + x]) }
    /// Whether no sample was changed.
    package var isUntouched: Bool { before == after }
    /// Whether all of the columns are empty now.
    ///
    /// Alpha of 1 or 2 is not visible.
    package func isEmpty(_ columns: Range<Int>) -> Bool {
      (0..<180).allSatisfy { y in columns.allSatisfy { alpha($0, y) < 3 } }
    }
    /// Whether no sample of the columns was changed.
    package func isUntouched(_ columns: Range<Int>) -> Bool {
      (0..<180).allSatisfy { y in
        columns.allSatisfy { before[y * 320 + $0] == after[y * 320 + $0] }
      }
    }
  }

  /// Runs an inference with `faces` and with the matte that `paint` paints.
  package func infer(faces: [Face] = [], _ paint: (Painter) -> Void) -> Result {
    let painter = Painter()
    paint(painter)
    let before = samples(of: painter.matte)
    apply(to: painter.matte, faces: faces)
    return Result(before: before, after: samples(of: painter.matte))
  }

  /// Selects the people of a matte.
  package func apply(to matte: Raster<UInt8>, faces: [Face] = []) {
    guard keep != .everyone else { return filter.apply(to: matte, after: ticks) }
    var settings = MatteSettings()
    (settings.keep, settings.smoothing) = (keep, 0)
    let context = MatteContext(
      frame: picture.frame, format: Self.format, picture: picture.frame, time: 0, ticks: ticks,
      settings: settings, seenColumns: seen)
    selector.select(in: matte, of: context, faces: faces, with: filter)
  }

  /// Runs `times` inferences with the same matte, and returns the last result.
  @discardableResult
  package func infer(times: Int, faces: [Face] = [], _ paint: (Painter) -> Void) -> Result {
    for _ in 1..<times { _ = infer(faces: faces, paint) }
    return infer(faces: faces, paint)
  }

  /// Not inlined: the optimizer of Swift 6.3 releases an unused array before the copy into it.
  @inline(never) private func samples(of matte: Raster<UInt8>) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: matte.base, count: matte.width * matte.height))
  }
}
