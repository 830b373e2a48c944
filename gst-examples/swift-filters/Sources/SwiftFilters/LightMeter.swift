import GstVideoFilterKit

/// The brightness of a frame.
struct Brightness: AnalysisResult {
  /// The mean of the luma as it is coded, 0 to 255.
  let mean: Double
  var fields: [String: FieldValue] { ["mean": .number(mean)] }
}

/// Reports the brightness of frames.
struct LightMeter: VideoAnalyzer {
  static let id = "lightmeter", name = "Light meter"
  static let picture = PictureRequest(maximumWidth: 64, format: .luma)

  func analyze(_ picture: AnalysisPicture) throws -> Brightness? {
    let sum = picture.bytes.reduce(0) { $0 + Int($1) }
    return Brightness(mean: Double(sum) / Double(picture.bytes.count))
  }
}
