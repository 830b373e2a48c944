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

let plugin = Plugin(
  name: "filterkitbench", summary: "Filters to measure", license: .lgpl,
  filters: [Nothing.self, Grayscale.self, Invert.self, SlowAnalyzer.self])
