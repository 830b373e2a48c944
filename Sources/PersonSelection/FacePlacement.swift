import Matting

extension MatteGrid {
  /// Returns the position of a face on the grid, or nil if it is not finite.
  func position(of face: SeenFace) -> BodyOutline.Body? {
    guard (face.x + face.y + face.width).isFinite else { return nil }
    // Coordinates far outside add no information, and their squares could overflow.
    let (columns, lines) = (Double(width), Double(height))
    return BodyOutline.Body(
      x: min(max(face.x / stepX, -columns), 2 * columns),
      y: min(max(face.y / stepY, -lines), 2 * lines),
      width: min(max(face.width / stepX, 1), 4 * columns))
  }
}

extension ConnectedComponents {
  /// Returns the component in the middle of a face, or the nearest one within half of its width.
  ///
  /// Returns nil if the matte shows no person there, for example at a face on a poster.
  func component(at face: BodyOutline.Body) -> Int? {
    let last = Double(height - 1)
    let first = min(max(face.y - face.width / 4, 0), last)
    let end = min(max(face.y + face.width / 4, first), last)
    var best: (component: Int, distance: Double)?
    for y in Int(first)...Int(end) {
      for i in runs(inRow: y) {
        let run = run(i)
        let across = max(Double(run.first) - face.x, face.x - Double(run.end - 1), 0)
        let distance = across + abs(Double(y) - face.y)
        if across <= face.width / 2, distance < best?.distance ?? .infinity {
          best = (Int(run.component), distance)
        }
      }
    }
    return best?.component
  }
}
