import GstVideoFilterKit

/// What the kit itself costs.
struct Nothing: VideoFilter {
  static let id = "bench-nothing", name = "Nothing"
  func process(_ frame: inout VideoFrame) throws {}
}

/// As little as a filter can do.
struct Grayscale: VideoFilter {
  static let id = "bench-grayscale", name = "Grayscale"
  func process(_ frame: inout VideoFrame) throws { frame.chroma.fill(128) }
}

/// Luma and chroma of each pixel, through closures.
struct Invert: VideoFilter {
  static let id = "bench-invert", name = "Invert"
  func process(_ frame: inout VideoFrame) throws {
    frame.luma.map { 255 &- $0 }
    frame.mapChroma { _, cb, cr in (255 &- cb, 255 &- cr) }
  }
}

/// Makes an analyzer's picture of each frame.
struct Picture: VideoFilter {
  static let id = "bench-picture", name = "Picture"
  static let properties: [FilterProperty<Self>] = [
    .integer("width", \.width, in: 1...1920, "The most columns that the picture may have")
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

/// What the analyzer finds.
struct Mean: AnalysisResult {
  let mean: Double
  var fields: [String: FieldValue] { ["mean": .number(mean)] }
}

/// Looks at a small picture, and takes a third of a second for it.
struct SlowAnalyzer: VideoAnalyzer {
  static let id = "bench-analyzer", name = "Analyzer"
  func analyze(_ picture: AnalysisPicture) throws -> Mean? {
    pause(milliseconds: 300)
    return Mean(mean: picture.bytes.reduce(0) { $0 + Double($1) } / Double(picture.bytes.count))
  }
}

/// Is ready for each frame.
struct QuickAnalyzer: VideoAnalyzer {
  static let id = "bench-quick-analyzer", name = "Quick analyzer"
  static let picture = PictureRequest(maximumWidth: 640, format: .rgb)
  func analyze(_ picture: AnalysisPicture) throws -> Mean? { nil }
}

let plugin = Plugin(
  name: "filterkitbench", summary: "Filters to measure", license: .lgpl,
  filters: [
    Nothing.self, Grayscale.self, Invert.self, Picture.self, SlowAnalyzer.self,
    QuickAnalyzer.self,
  ])
