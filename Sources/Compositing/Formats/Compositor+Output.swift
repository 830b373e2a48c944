import Matting
import PixelTypes
import Processor

// Writes pictures row by row.

extension Compositor {
  /// The luma rows and the chroma rows of a background.
  typealias Backgrounds = (luma: BackgroundRows, chroma: BackgroundRows)

  /// Writes a band of a picture.
  func write(
    _ pass: Pass, by writer: any RowWriter, over background: Backgrounds, _ edge: EdgeRows?,
    _ band: Int
  ) {
    let pairs = bands.rows(of: format.chromaHeight, in: band)
    if pairs.isEmpty { return }
    let tools = tools[band]
    let isMatte = pass.content == .matte && pass.output.format == .gray8
    let isOpaque = !isMatte && pass.content != .isolated
    writer.begin(pass.output, isOpaque: isOpaque)
    func makeLuma(_ y: Int) {
      if !isOpaque, let matte = pass.matte {
        unsafe makeAlpha(y, tools.alpha, matte, into: writer.alpha(y))
      }
      guard writer.writesColor else { return }
      edge?.selectLuma(y)
      let alpha = pass.matte.map { tools.alpha.luma(y, of: $0.samples.plane) }
      unsafe make(
        writer.luma(y), of: pass, from: personRow(y, ofChroma: false, pass),
        over: background.luma.between(y), by: alpha, edge, format.width, tools.mixed.base)
    }
    func makeChroma(_ n: Int) {
      guard writer.writesColor else { return }
      edge?.selectChroma(n)
      let alpha = pass.matte.map { tools.alpha.chroma(n, of: $0.samples.plane) }
      unsafe make(
        writer.chroma(n), of: pass, from: personRow(n, ofChroma: true, pass),
        over: background.chroma.between(n), by: alpha, edge, 2 * format.chromaWidth,
        tools.mixed.base)
    }
    if writer.needsNeighbours, pairs.lowerBound > 0 { makeChroma(pairs.lowerBound - 1) }
    for n in pairs {
      prefetch(n + Self.readAhead, of: pass.frame, over: background)
      makeLuma(2 * n)
      makeChroma(n)
      if 2 * n + 1 < format.height { makeLuma(2 * n + 1) }
      writer.write(n, of: pairs)
    }
    if writer.needsNeighbours, pairs.upperBound < format.chromaHeight {
      makeChroma(pairs.upperBound)
    }
    writer.finish(pairs)
  }

  private func makeAlpha(
    _ y: Int, _ reader: AlphaRows, _ matte: Matte, into row: UnsafeMutablePointer<UInt8>
  ) {
    let alpha = reader.luma(y, of: matte.samples.plane).row
    unsafe kernels.mixRows(alpha, row, 2 * format.chromaWidth)
  }

  /// Composes a row of luma or chroma.
  private func make(
    _ row: UnsafeMutablePointer<UInt8>, of pass: Pass, from source: UnsafePointer<UInt8>?,
    over background: RowBetween, by alpha: AlphaRows.Alpha?, _ edge: EdgeRows?, _ count: Int,
    _ mixed: UnsafeMutablePointer<UInt8>
  ) {
    switch pass.content {
    case .composed, .matte:
      unsafe blend(row, from: source, over: background, by: alpha, edge, count, mixed)
    case .unchanged, .isolated:
      guard let source = unsafe source else { return }
      // Copy the whole row, because a visible pixel shares chroma with an invisible neighbour.
      unsafe row.update(from: source, count: count)
      guard let edge, let alpha else { return }
      for number in 0..<edge.spanCount {
        let part = edge.span(number).clamped(to: 0..<count)
        if !part.isEmpty { unsafe edge.treat(row, part, by: alpha.row) }
      }
    }
  }
}

extension PixelFormat {
  /// Creates a writer for pictures of this format.
  func makeWriter(_ format: FrameFormat) -> any RowWriter {
    if colorModel == .gray { return GrayWriter(format: format) }
    return planeCount > 1 ? PlanarWriter(format: format) : PackedWriter(format: format)
  }
}
