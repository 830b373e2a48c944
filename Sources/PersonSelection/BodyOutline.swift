/// How wide people are at each height, to tell which of two bodies a sample is likely to belong to.
///
/// Fitted to 142 pictures of two people who touch, among them the 22 of docs/figures.md, and to frames of six
/// clips.
struct BodyOutline {
  /// Where somebody is, in samples: the middle of the face, and its width.
  struct Body {
    var x: Double, y: Double, width: Double
  }

  /// What a row of samples needs to know of a body.
  struct Row {
    fileprivate let middle: Float, rise: Float, scale: Float

    /// How far away a sample of the row is, squared: 1 at the outline.
    func distance(_ x: Int) -> Float {
      let across = Float(x) - middle
      return (across * across + rise) * scale
    }
  }

  /// Of whom nobody hides a part: hair, temples, chin, neck, shoulders, arms.
  static let front = BodyOutline(
    halves: [0.4, 0.55, 0.8, 1.3, 1.55, 1.8, 2.4])
  /// Of somebody behind another: more of the head is seen than of what lies below.
  static let behind = BodyOutline(
    halves: [0.8, 0.4, 0.45, 0.5, 0.7, 0.6, 0.7])

  /// How far apart two faces are, in their mean width, when one stands as much behind as the outline
  /// `behind` says, and when beside: then both shoulders are seen.
  private static let behindOrBeside = 1.2...2.4

  /// How much somebody stands beside another, 0 to 1, rather than behind.
  static func shareBeside(_ body: Body, _ other: Body) -> Float {
    let distance = 2 * abs(body.x - other.x) / (body.width + other.width)
    let range = behindOrBeside
    let share = (distance - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Float(min(max(share, 0), 1))
  }

  /// Where the hair ends.
  private static let crown = -0.75
  /// Heights below the middle of the face, in widths of the face.
  private static let heights = [-1.1, -0.5, 0.1, 0.65, 1, 1.4, 2.8]

  /// Half the width of the body at these heights, in widths of the face.
  private let halves: [Double]

  /// What row `y` needs to know of a body.
  func row(_ y: Int, of body: Body) -> Row {
    let down = (Double(y) - body.y) / body.width
    let half = half(at: down) * body.width
    let rise = max(Self.crown - down, 0) * body.width
    return Row(
      middle: Float(body.x), rise: Float(rise * rise), scale: Float(1 / (half * half)))
  }

  private func half(at height: Double) -> Double {
    let heights = Self.heights
    guard let next = heights.firstIndex(where: { height < $0 }) else { return halves.last ?? 1 }
    guard next > 0 else { return halves[0] }
    let part = (height - heights[next - 1]) / (heights[next] - heights[next - 1])
    return halves[next - 1] + part * (halves[next] - halves[next - 1])
  }
}
