import GstVideoFilterKit

/// A change to darkness or to light.
struct LightChange: AnalysisResult, Equatable {
  let isDark: Bool
  /// The smoothed mean of the luma as it is coded, 0 to 255.
  let level: Double
  var fields: [String: FieldValue] { ["dark": .flag(isDark), "level": .number(level)] }
}

/// Reports changes to darkness and to light.
///
/// An example of an analyzer with state.
struct LightWatch: VideoAnalyzer {
  static let id = "lightwatch", name = "Light watch"
  static let picture = PictureRequest(maximumWidth: 64, format: .luma, perSecond: 10)
  static let properties: [FilterProperty<Self>] = [
    .number("threshold", \.threshold, in: 0...255, "The luma that separates dark from light"),
    .number(
      "hysteresis", \.hysteresis, in: 0...100,
      "Distance from the threshold that the luma must exceed for a change"),
  ]

  var threshold = 60.0
  var hysteresis = 8.0

  private var level: Double?
  private var isDark: Bool?

  /// The weight of a new picture: after a second the level contains two thirds of a change.
  private static let weight = 0.1

  mutating func setUp(for stream: VideoStream) throws {
    level = nil
    isDark = nil
  }

  mutating func analyze(_ picture: AnalysisPicture) throws -> LightChange? {
    let sum = picture.bytes.reduce(0) { $0 + Int($1) }
    let mean = Double(sum) / Double(picture.bytes.count)
    let level = level.map { $0 + Self.weight * (mean - $0) } ?? mean
    self.level = level
    // Near the threshold keep the state, so that flicker causes no change.
    let isDark = level < (isDark == true ? threshold + hysteresis : threshold - hysteresis)
    guard isDark != self.isDark else { return nil }
    self.isDark = isDark
    return LightChange(isDark: isDark, level: level)
  }
}
