import PixelTypes

/// Blends a frame over a background, in place: one pass over the rows.
final class Compositor {
  /// What is seen where the person is not.
  enum Background {
    /// One colour, in code values of the frame's colorimetry.
    case color(luma: UInt8, cb: UInt8, cr: UInt8)
    /// A picture of the frame's size.
    case plate(Plate)
    /// The frame's own room.
    case blur(BackgroundBlur)
  }

  private let kernels: any RowKernels.Type
  /// How the mattes lie over the frame.
  let grid: MatteGrid

  private let format: FrameFormat
  private let lumaAlpha: ScaledRows, chromaAlpha: ScaledRows
  private let lumaRow: Raster<UInt8>, chromaRow: Raster<UInt8>
  private var enlargement: Enlargement?

  /// Makes tables for frames of `format` whose matte lies on `grid`.
  init(format: FrameFormat, grid: MatteGrid, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.format = format
    self.grid = grid
    lumaAlpha = grid.rows(
      count: format.width, rows: format.height, step: 1, kernels: kernels)
    // Chroma samples are taken to lie in the middle of their four pixels; both bytes of a pair
    // have the same alpha.
    chromaAlpha = grid.rows(
      count: format.chromaWidth, rows: format.chromaHeight, step: 2, repeats: 2, kernels: kernels)
    lumaRow = Raster(width: format.width, height: 1, filledWith: 0)
    chromaRow = Raster(width: 2 * format.chromaWidth, height: 1, filledWith: 0)
  }

  /// Puts `background` behind the person that `matte` shows.
  func compose(_ frame: Frame, matte: Matte, over background: Background) {
    begin(background)
    lumaAlpha.begin()
    chromaAlpha.begin()
    for y in 0..<format.height {
      unsafe kernels.blendRow(
        frame.luma.row(y), lumaRow(y, of: background), lumaAlpha.row(y, of: matte.samples),
        format.width)
    }
    for y in 0..<format.chromaHeight {
      unsafe kernels.blendRow(
        frame.chroma.row(y), chromaRow(y, of: background), chromaAlpha.row(y, of: matte.samples),
        2 * format.chromaWidth)
    }
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
    begin(background)
    for y in 0..<format.height {
      unsafe frame.luma.row(y).update(from: lumaRow(y, of: background), count: format.width)
    }
    for y in 0..<format.chromaHeight {
      unsafe frame.chroma.row(y).update(
        from: chromaRow(y, of: background), count: 2 * format.chromaWidth)
    }
  }

  private func begin(_ background: Background) {
    switch background {
    case .color(let luma, let cb, let cr):
      lumaRow.fill(with: luma)
      for x in 0..<format.chromaWidth {
        unsafe chromaRow.base[2 * x] = cb
        unsafe chromaRow.base[2 * x + 1] = cr
      }
    case .plate: break
    case .blur(let blur):
      if enlargement?.shift != blur.shift {
        enlargement = Enlargement(format: format, shift: blur.shift, kernels: kernels)
      }
      enlargement?.luma.begin()
      enlargement?.chroma.begin()
    }
  }

  private func lumaRow(_ y: Int, of background: Background) -> UnsafePointer<UInt8> {
    switch background {
    case .plate(let plate): return unsafe UnsafePointer(plate.frame.luma.row(y))
    case .blur(let blur):
      if let enlargement { return unsafe enlargement.luma.row(y, of: blur.luma) }
    case .color: break
    }
    return unsafe UnsafePointer(lumaRow.base)
  }

  private func chromaRow(_ y: Int, of background: Background) -> UnsafePointer<UInt8> {
    switch background {
    case .plate(let plate): return unsafe UnsafePointer(plate.frame.chroma.row(y))
    case .blur(let blur):
      if let enlargement { return unsafe enlargement.chroma.row(y, of: blur.chroma) }
    case .color: break
    }
    return unsafe UnsafePointer(chromaRow.base)
  }
}

/// Brings the planes of a `BackgroundBlur` to the frame's size, row by row.
private struct Enlargement {
  let shift: Int
  let luma: ScaledRows, chroma: ScaledRows

  init(format: FrameFormat, shift: Int, kernels: any RowKernels.Type) {
    self.shift = shift
    let scale = 1 / Double(1 << shift)
    luma = ScaledRows(
      horizontal: ScaleAxis(
        count: format.width, sourceCount: BoxReducer.reduced(format.width, shift: shift),
        scale: scale),
      vertical: ScaleAxis(
        count: format.height, sourceCount: BoxReducer.reduced(format.height, shift: shift),
        scale: scale), kernels: kernels)
    chroma = ScaledRows(
      horizontal: ScaleAxis(
        count: format.chromaWidth,
        sourceCount: BoxReducer.reduced(format.chromaWidth, shift: shift), scale: scale),
      vertical: ScaleAxis(
        count: format.chromaHeight,
        sourceCount: BoxReducer.reduced(format.chromaHeight, shift: shift), scale: scale),
      ofPairs: true, kernels: kernels)
  }
}
