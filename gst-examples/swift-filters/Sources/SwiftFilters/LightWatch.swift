import GstVideoFilterKit

/// It has got dark, or light.
struct LightChange: AnalysisResult, Equatable {
  let isDark: Bool
  /// The smoothed mean of the luma as it is coded, 0 to 255.
  let level: Double
  var fields: [String: FieldValue] { ["dark": .flag(isDark), "level": .number(level)] }
}

/// Tells when it gets dark, and when it gets light again: an analyzer that remembers.
struct LightWatch: VideoAnalyzer {
  static let id = "lightwatch", name = "Light watch"
  static let picture = PictureRequest(maximumWidth: 64, format: .luma, perSecond: 10)
  static let properties: [FilterProperty<Self>] = [
    .number("threshold", \.threshold, in: 0...255, "Luma between dark and light"),
    .number(
      "hysteresis", \.hysteresis, in: 0...100,
      "How far beyond the threshold the luma has to be for a change"),
  ]

  var threshold = 60.0
  var hysteresis = 8.0

  private var level: Double?
  private var isDark: Bool?

  /// The share of a new picture in the level: a second until two thirds of a change are in it.
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
    // Around the threshold it stays as it is, so that flicker is no change.
    let isDark = level < (isDark == true ? threshold + hysteresis : threshold - hysteresis)
    guard isDark != self.isDark else { return nil }
    self.isDark = isDark
    return LightChange(isDark: isDark, level: level)
  }
}
