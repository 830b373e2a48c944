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
  /// What reads the matte, for each band.
  private let alphas: [AlphaRows]
  private let lumaRow: Raster<UInt8>, chromaRow: Raster<UInt8>
  private var enlargement: Enlargement?
  private var pass: Pass?

  /// What is done to a frame; without a matte it is painted over.
  private struct Pass {
    let frame: Frame
    let matte: Matte?
    let background: Background
  }

  /// Makes tables for frames of `format` whose matte lies on `grid`.
  init(format: FrameFormat, grid: MatteGrid, bands: Bands, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.format = format
    self.grid = grid
    self.bands = bands
    let axes = AlphaRows.Axes(format: format, grid: grid)
    alphas = (0..<bands.count).map { _ in AlphaRows(axes, kernels: kernels) }
    lumaRow = Raster(width: format.width, height: 1, filledWith: 0)
    chromaRow = Raster(width: 2 * format.chromaWidth, height: 1, filledWith: 0)
  }

  /// Puts `background` behind the person that `matte` shows.
  func compose(_ frame: Frame, matte: Matte, over background: Background) {
    perform(Pass(frame: frame, matte: matte, background: background))
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
    perform(Pass(frame: frame, matte: nil, background: background))
  }

  func perform(band: Int) {
    guard let pass else { return }
    alphas[band].begin()
    let enlarged = enlargement?.rows[band]
    enlarged?.luma.begin()
    enlarged?.chroma.begin()
    for y in bands.rows(of: format.chromaHeight, in: band) {
      performLuma(2 * y, pass, alphas[band], enlarged?.luma)
      performChroma(y, pass, alphas[band], enlarged?.chroma)
      if 2 * y + 1 < format.height {
        performLuma(2 * y + 1, pass, alphas[band], enlarged?.luma)
      }
    }
  }

  private func performLuma(_ y: Int, _ pass: Pass, _ alpha: AlphaRows, _ enlarged: ScaledRows?) {
    unsafe blend(
      pass.frame.luma.row(y), lumaRow(y, of: pass.background, enlarged),
      pass.matte.map { alpha.luma(y, of: $0.samples) }, format.width)
  }

  private func performChroma(_ y: Int, _ pass: Pass, _ alpha: AlphaRows, _ enlarged: ScaledRows?) {
    unsafe blend(
      pass.frame.chroma.row(y), chromaRow(y, of: pass.background, enlarged),
      pass.matte.map { alpha.chroma(y, of: $0.samples) }, 2 * format.chromaWidth)
  }

  private func blend(
    _ row: UnsafeMutablePointer<UInt8>, _ background: UnsafePointer<UInt8>,
    _ alpha: AlphaRows.Between?, _ count: Int
  ) {
    // Where nobody is, the background alone is seen.
    let begin = min(alpha?.person.lowerBound ?? count, count)
    let end = max(min(alpha?.person.upperBound ?? count, count), begin)
    unsafe row.update(from: background, count: begin)
    if let alpha {
      unsafe kernels.blendRow(
        row + begin, background + begin, alpha.top + begin, alpha.bottom + begin, alpha.weight,
        end - begin)
    }
    unsafe (row + end).update(from: background + end, count: count - end)
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

  private func lumaRow(
    _ y: Int, of background: Background, _ enlarged: ScaledRows?
  ) -> UnsafePointer<UInt8> {
    switch background {
    case .plate(let plate): return unsafe UnsafePointer(plate.frame.luma.row(y))
    case .blur(let blur):
      if let enlarged { return unsafe enlarged.row(y, of: blur.luma) }
    case .color: break
    }
    return unsafe UnsafePointer(lumaRow.base)
  }

  private func chromaRow(
    _ y: Int, of background: Background, _ enlarged: ScaledRows?
  ) -> UnsafePointer<UInt8> {
    switch background {
    case .plate(let plate): return unsafe UnsafePointer(plate.frame.chroma.row(y))
    case .blur(let blur):
      if let enlarged { return unsafe enlarged.row(y, of: blur.chroma) }
    case .color: break
    }
    return unsafe UnsafePointer(chromaRow.base)
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
