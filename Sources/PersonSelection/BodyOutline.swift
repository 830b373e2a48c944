/// A model of a person's outline: the width at each height of the body.
///
/// It is used to assign samples to one of two bodies.
///
/// Fitted to 142 pictures of two touching people, among them the 22 of docs/accuracy.md, and to
/// frames of six clips.
struct BodyOutline {
  /// Precomputed values of an outline for one row of samples.
  struct Row {
    fileprivate let middle: Float, rise: Float, scale: Float

    /// The squared distance of a sample from the person's middle line, 1 at the outline.
    func distance(_ x: Int) -> Float {
      let across = Float(x) - middle
      return (across * across + rise) * scale
    }
  }

  /// The outline of an unoccluded person.
  static let front = BodyOutline(halves: [0.4, 0.55, 0.8, 1.3, 1.55, 1.8, maxHalfWidth])
  /// The outline of a person behind another, with more of the head visible than of the body.
  static let behind = BodyOutline(halves: [0.8, 0.4, 0.45, 0.5, 0.7, 0.6, 0.7])

  /// The distance between two faces, in mean face widths, from fully behind to side by side.
  ///
  /// Side by side both shoulders are visible.
  private static let sideBySideRange = 1.2...2.4

  /// How much a person stands next to another rather than behind, 0 to 1.
  static func sideBySideShare(_ face: FacePosition, _ other: FacePosition) -> Float {
    let distance = 2 * abs(face.x - other.x) / (face.width + other.width)
    let range = sideBySideRange
    let share = (distance - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Float(min(max(share, 0), 1))
  }

  /// The height of the top of the head, on the same scale as `heights`.
  private static let crown = -0.75
  /// The heights of `halves`, from above the head to the arms.
  ///
  /// They are distances below the middle of the face, in face widths.
  private static let heights = [-1.1, -0.5, 0.1, 0.65, 1, 1.4, 2.8]

  /// Half of the width of an unoccluded person at the arms, in face widths.
  static let maxHalfWidth = 2.4

  /// Half of the width at each of `heights`, in face widths.
  private let halves: [Double]

  /// Returns the values for row `y` of the person with this face.
  func row(_ y: Int, of face: FacePosition) -> Row {
    let down = (Double(y) - face.y) / face.width
    let half = half(at: down) * face.width
    let rise = max(Self.crown - down, 0) * face.width
    return Row(middle: Float(face.x), rise: Float(rise * rise), scale: Float(1 / (half * half)))
  }

  private func half(at height: Double) -> Double {
    let heights = Self.heights
    guard let next = heights.firstIndex(where: { height < $0 }) else { return halves.last ?? 1 }
    guard next > 0 else { return halves[0] }
    let part = (height - heights[next - 1]) / (heights[next] - heights[next - 1])
    return halves[next - 1] + part * (halves[next] - halves[next - 1])
  }
}
