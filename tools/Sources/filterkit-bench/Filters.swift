import GstVideoFilterKit

/// Does nothing.
///
/// Its cost is the overhead of GstVideoFilterKit.
struct BenchNothing: VideoFilter {
  static let id = "bench-nothing", name = "Nothing"
  func process(_ frame: inout VideoFrame) throws {}
}

/// Fills the chroma, which is about the minimum work of a filter.
struct BenchGrayscale: VideoFilter {
  static let id = "bench-grayscale", name = "Grayscale"
  func process(_ frame: inout VideoFrame) throws { frame.chroma.fill(128) }
}

/// Changes the luma and the chroma of each pixel with closures.
struct BenchInvert: VideoFilter {
  static let id = "bench-invert", name = "Invert"
  func process(_ frame: inout VideoFrame) throws {
    frame.luma.map { 255 &- $0 }
    frame.mapChroma { _, cb, cr in (255 &- cb, 255 &- cr) }
  }
}

/// Creates the picture for an analyzer from each frame.
struct BenchPicture: VideoFilter {
  static let id = "bench-picture", name = "Picture"
  static let properties: [FilterProperty<Self>] = [
    .integer("width", \.width, in: 1...1920, "Maximum width of the picture")
  ]

  var width = 256
  private var shrinker: PictureShrinker?
  private var spare: [UInt8] = []

  mutating func setUp(for stream: VideoStream) throws {
    shrinker = PictureShrinker(PictureRequest(maximumWidth: width, format: .rgb))
  }

  mutating func process(_ frame: inout VideoFrame) throws {
    let bytes = spare
    spare = []
    spare = shrinker?.shrink(&frame, into: bytes).bytes ?? []
  }
}

/// The mean of a picture's bytes.
struct Mean: AnalysisResult {
  let mean: Double
  var fields: [String: FieldValue] { ["mean": .number(mean)] }
}

/// An analyzer that takes 0.3 seconds for each picture.
struct SlowAnalyzer: VideoAnalyzer {
  static let id = "bench-analyzer", name = "Analyzer"
  func analyze(_ picture: AnalysisPicture) throws -> Mean? {
    pause(milliseconds: 300)
    return Mean(mean: picture.bytes.reduce(0) { $0 + Double($1) } / Double(picture.bytes.count))
  }
}

/// An analyzer that is fast enough to analyze each frame.
struct QuickAnalyzer: VideoAnalyzer {
  static let id = "bench-quick-analyzer", name = "Quick analyzer"
  static let picture = PictureRequest(maximumWidth: 640, format: .rgb)
  func analyze(_ picture: AnalysisPicture) throws -> Mean? { nil }
}

/// The plugin with the filters to measure.
let plugin = Plugin(
  name: "filterkitbench", summary: "Filters to measure", license: .lgpl,
  filters: [
    BenchNothing.self, BenchGrayscale.self, BenchInvert.self, BenchPicture.self, SlowAnalyzer.self,
    QuickAnalyzer.self,
  ])
