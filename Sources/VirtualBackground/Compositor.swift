import PixelTypes

/// Blends a frame over a background, in place: one pass over the rows, by bands of them.
final class Compositor: BandedWork {
  /// What is seen where the person is not.
  enum Background {
    /// One colour, in code values of the frame's colorimetry.
    case color(luma: UInt8, cb: UInt8, cr: UInt8)
    /// A picture of the frame's size.
    case plate(Plate)
    /// The frame's own room.
    case blur(BackgroundBlur)
  }

  /// How the mattes lie over the frame.
  let grid: MatteGrid

  private let kernels: any RowKernels.Type
  private let format: FrameFormat
  private let bands: Bands
  private let job = BandedJob()
  private let tools: [Tools]
  private let lumaRow: Raster<UInt8>, chromaRow: Raster<UInt8>
  private var enlargement: Enlargement?
  /// What treats the edge, for each band.
  private var edgeRows: [EdgeRows] = []
  private var edgeGrid: EdgeGrid?
  private var pass: Pass?

  /// What a band needs for itself.
  private struct Tools {
    /// Reads the matte.
    let alpha: AlphaRows
    /// Room for a row of a background that lies between two.
    let mixed: Raster<UInt8>
  }

  /// What is done to a frame; without a matte it is painted over.
  private struct Pass {
    let frame: Frame
    let matte: Matte?
    let background: Background
    let edge: EdgeTreatment?
  }

  /// Makes tables for frames of `format` whose matte lies on `grid`.
  init(format: FrameFormat, grid: MatteGrid, bands: Bands, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.format = format
    self.grid = grid
    self.bands = bands
    let axes = AlphaRows.Axes(format: format, grid: grid)
    tools = (0..<bands.count).map { _ in
      Tools(
        alpha: AlphaRows(axes, kernels: kernels),
        mixed: Raster(width: 2 * format.chromaWidth, height: 1, filledWith: 0))
    }
    lumaRow = Raster(width: format.width, height: 1, filledWith: 0)
    chromaRow = Raster(width: 2 * format.chromaWidth, height: 1, filledWith: 0)
  }

  /// Puts `background` behind the person that `matte` shows, whose edge is treated first.
  func compose(
    _ frame: Frame, matte: Matte, over background: Background, edge: EdgeTreatment? = nil
  ) {
    if let edge, edgeGrid != edge.grid {
      edgeGrid = edge.grid
      edgeRows = (0..<bands.count).map { _ in
        EdgeRows(format: format, grid: edge.grid, kernels: kernels)
      }
    }
    perform(Pass(frame: frame, matte: matte, background: background, edge: edge))
  }

  /// Paints the matte: white where the person is, black where the room is.
  func show(_ matte: Matte, in frame: Frame) {
    let white = format.colorimetry.codeValues(red: 255, green: 255, blue: 255)
    fill(frame, with: .color(luma: white.luma, cb: white.cb, cr: white.cr))
    let black = format.colorimetry.codeValues(red: 0, green: 0, blue: 0)
    compose(
      frame, matte: matte, over: .color(luma: black.luma, cb: black.cb, cr: black.cr))
  }

  /// Paints over the whole frame.
  func fill(_ frame: Frame, with background: Background) {
    perform(Pass(frame: frame, matte: nil, background: background, edge: nil))
  }

  func perform(band: Int) {
    guard let pass else { return }
    let tools = tools[band]
    let enlarged = enlargement?.rows[band]
    let edge = pass.edge == nil ? nil : edgeRows[band]
    tools.alpha.begin()
    enlarged?.luma.begin()
    enlarged?.chroma.begin()
    if let edge, let treatment = pass.edge { edge.begin(treatment) }
    for y in bands.rows(of: format.chromaHeight, in: band) {
      performLuma(2 * y, pass, tools, enlarged?.luma, edge)
      performChroma(y, pass, tools, enlarged?.chroma, edge)
      if 2 * y + 1 < format.height { performLuma(2 * y + 1, pass, tools, enlarged?.luma, edge) }
    }
  }

  private func performLuma(
    _ y: Int, _ pass: Pass, _ tools: Tools, _ enlarged: ScaledRows?, _ edge: EdgeRows?
  ) {
    edge?.turnToLuma(y)
    unsafe blend(
      pass.frame.luma.row(y), over: lumaPlace(y, of: pass.background, enlarged),
      by: pass.matte.map { tools.alpha.luma(y, of: $0.samples) }, edge, format.width, tools)
  }

  private func performChroma(
    _ y: Int, _ pass: Pass, _ tools: Tools, _ enlarged: ScaledRows?, _ edge: EdgeRows?
  ) {
    edge?.turnToChroma(y)
    unsafe blend(
      pass.frame.chroma.row(y), over: chromaPlace(y, of: pass.background, enlarged),
      by: pass.matte.map { tools.alpha.chroma(y, of: $0.samples) }, edge, 2 * format.chromaWidth,
      tools)
  }

  private func blend(
    _ row: UnsafeMutablePointer<UInt8>, over background: RowBetween, by alpha: AlphaRows.Alpha?,
    _ edge: EdgeRows?, _ count: Int, _ tools: Tools
  ) {
    var begin = min(alpha?.person.lowerBound ?? count, count)
    var end = max(min(alpha?.person.upperBound ?? count, count), begin)
    if let edge, begin < end {
      // Whole spans, of which some reach beyond the person: alpha is 0 there.
      for number in 0..<edge.spanCount {
        let span = edge.span(number)
        if span.contains(begin) { begin = span.lowerBound }
        if span.contains(end) { end = min(span.upperBound, count) }
      }
    }
    // Where nobody is, the background alone is seen.
    unsafe copy(background, 0..<begin, to: row)
    unsafe copy(background, end..<count, to: row)
    guard let alpha = alpha?.row, begin < end else { return }
    var behind = unsafe background.top
    if background.weight != 0 {
      unsafe copy(background, begin..<end, to: tools.mixed.base)
      unsafe behind = UnsafePointer(tools.mixed.base)
    }
    func blend(_ first: Int, _ end: Int) {
      unsafe kernels.blendRow(
        row + first, behind + first, alpha.top + first, alpha.bottom + first, alpha.weight,
        end - first)
    }
    // From left to right, so that the row is read from memory as a stream.
    var done = begin
    if let edge {
      for number in 0..<edge.spanCount {
        let part = edge.span(number).clamped(to: done..<end)
        if part.isEmpty { continue }
        if done < part.lowerBound { blend(done, part.lowerBound) }
        unsafe edge.treat(row, part, by: alpha)
        blend(part.lowerBound, part.upperBound)
        done = part.upperBound
      }
    }
    if done < end { blend(done, end) }
  }

  private func copy(
    _ source: RowBetween, _ bytes: Range<Int>, to row: UnsafeMutablePointer<UInt8>
  ) {
    let (first, count) = (bytes.lowerBound, bytes.count)
    if source.weight == 0 {
      unsafe (row + first).update(from: source.top + first, count: count)
    } else {
      unsafe kernels.mixRows(
        source.top + first, source.bottom + first, source.weight, row + first, count)
    }
  }

  private func perform(_ pass: Pass) {
    switch pass.background {
    case .color(let luma, let cb, let cr):
      lumaRow.fill(with: luma)
      for x in 0..<format.chromaWidth {
        unsafe chromaRow.base[2 * x] = cb
        unsafe chromaRow.base[2 * x + 1] = cr
      }
    case .plate: break
    case .blur(let blur):
      if enlargement?.shift != blur.shift {
        enlargement = Enlargement(
          format: format, shift: blur.shift, bands: bands, kernels: kernels)
      }
    }
    self.pass = pass
    job.perform(self, bands: bands.count, threads: bands.threads)
    self.pass = nil
  }

  private func lumaPlace(
    _ y: Int, of background: Background, _ enlarged: ScaledRows?
  ) -> RowBetween {
    switch background {
    case .plate(let plate): return unsafe RowBetween(whole: plate.frame.luma.row(y))
    case .blur(let blur):
      if let enlarged { return enlarged.place(y, of: blur.luma) }
    case .color: break
    }
    return unsafe RowBetween(whole: lumaRow.base)
  }

  private func chromaPlace(
    _ y: Int, of background: Background, _ enlarged: ScaledRows?
  ) -> RowBetween {
    switch background {
    case .plate(let plate): return unsafe RowBetween(whole: plate.frame.chroma.row(y))
    case .blur(let blur):
      if let enlarged { return enlarged.place(y, of: blur.chroma) }
    case .color: break
    }
    return unsafe RowBetween(whole: chromaRow.base)
  }
}

/// Brings the planes of a `BackgroundBlur` to the frame's size, row by row.
private struct Enlargement {
  let shift: Int
  /// What reads the planes, for each band.
  let rows: [(luma: ScaledRows, chroma: ScaledRows)]

  init(format: FrameFormat, shift: Int, bands: Bands, kernels: any RowKernels.Type) {
    self.shift = shift
    func axes(_ width: Int, _ height: Int) -> ScaleAxes {
      func axis(_ count: Int) -> ScaleAxis {
        ScaleAxis(
          count: count, sourceCount: BoxReducer.reduced(count, shift: shift),
          scale: 1 / Double(1 << shift))
      }
      return ScaleAxes(horizontal: axis(width), vertical: axis(height))
    }
    let luma = axes(format.width, format.height)
    let chroma = axes(format.chromaWidth, format.chromaHeight)
    rows = (0..<bands.count).map { _ in
      (
        ScaledRows(luma, kernels: kernels),
        ScaledRows(chroma, ofPairs: true, kernels: kernels)
      )
    }
  }
}
