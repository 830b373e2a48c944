import Matting

/// The position of a face on the grid of a matte, in samples.
struct FacePosition {
  /// The middle, and the width from cheek to cheek.
  var x: Double, y: Double, width: Double
}

extension MatteGrid {
  /// Returns the position of a face on the grid, or nil if it is not finite.
  func position(of face: FaceBox) -> FacePosition? {
    let (x, y) = (Double(face.center.x), Double(face.center.y))
    guard (x + y + Double(face.width)).isFinite else { return nil }
    // Coordinates far outside add no information, and their squares could overflow.
    let (columns, lines) = (Double(width), Double(height))
    return FacePosition(
      x: min(max(x / step, -columns), 2 * columns),
      y: min(max(y / step, -lines), 2 * lines),
      width: min(max(Double(face.width) / step, 1), 4 * columns))
  }
}

extension ConnectedComponents {
  /// Returns the component that covers most of the middle of a face.
  ///
  /// Returns nil if the matte shows no person there, for example at a face on a poster.
  func component(at face: FacePosition) -> Int? {
    func range(_ middle: Double, _ limit: Int) -> Range<Int>? {
      let reach = face.width / 4
      guard middle > -reach, middle < Double(limit) + reach else { return nil }
      let first = min(max(middle - reach, 0), Double(limit - 1))
      return Int(first)..<Int(min(max(middle + reach, first), Double(limit - 1))) + 1
    }
    guard let columns = range(face.x, width), let rows = range(face.y, height) else { return nil }
    /// Calls `body` with each run in the middle of the face and its number of samples there.
    func forEachRun(_ body: (_ component: Int, _ samples: Int) -> Void) {
      for y in rows {
        for i in runs(inRow: y) {
          let samples = run(i).columns.clamped(to: columns).count
          if samples > 0 { body(run(i).component, samples) }
        }
      }
    }
    var longest: (component: Int, samples: Int)?
    forEachRun { if $1 > longest?.samples ?? 0 { longest = ($0, $1) } }
    guard let longest else { return nil }
    var samples = 0
    forEachRun { if $0 == longest.component { samples += $1 } }
    return 2 * samples > columns.count * rows.count ? longest.component : nil
  }
}
