import PixelTypes

/// From a frame to its matte: shrink, infer, steady, shape.
///
/// Made for one frame format and one network.
final class MattePipeline {
  /// The frame at the fraction of its size that the network's input is made from.
  let reduced: ReducedFrame
  /// The matte of the last inferred frame.
  private(set) var matte: Matte

  private let kernels: any RowKernels.Type
  private let format: FrameFormat
  private let segmenter: any Segmenter
  private let preparation: TensorPreparation
  private let smoothing: TemporalSmoothing
  /// The matte as the network gives it, on the network's own grid.
  private let plain: Matte
  /// The same on a grid of square steps, where the edge can be moved; made when that is asked for.
  private var square: (matte: Matte, rows: ScaledRows)?
  private var shaping: EdgeShaping?

  /// Makes tables and buffers for frames of `format` and the given network.
  init(
    format: FrameFormat, segmenter: any Segmenter, bands: Bands, kernels: any RowKernels.Type
  ) {
    self.kernels = kernels
    self.format = format
    self.segmenter = segmenter
    let tensor = segmenter.inputFormat
    let region = TensorPreparation.region(of: tensor, for: format)
    let shift = ReducedFrame.shift(
      for: format, coveringWidth: region.width, height: region.height)
    reduced = ReducedFrame(format: format, shift: shift, bands: bands, kernels: kernels)
    preparation = TensorPreparation(
      format: format, shift: shift, tensor: tensor, kernels: kernels)
    smoothing = TemporalSmoothing(width: region.width, height: region.height, kernels: kernels)
    plain = Matte(
      grid: MatteGrid(format: format, width: region.width, height: region.height))
    matte = plain
  }

  /// Forgets what was remembered of earlier frames.
  func forgetPast() {
    segmenter.forgetPast()
    smoothing.forgetPast()
  }

  /// Makes the matte of the frame that `frame` is the reduction of.
  ///
  /// Reports the time of each stage through `clock`. Throws `SegmentationError` when the inference
  /// fails or its result does not fit the network's input; the old matte is then worth nothing.
  func makeMatte(
    of frame: Frame, settings: EffectSettings, clock: inout StageClock
  ) throws(SegmentationError) {
    unsafe preparation.fill(segmenter.inputTensor, from: frame)
    clock.finish(.prepare)
    let raw = try segmenter.infer()
    clock.finish(.inference)
    let tensor = segmenter.inputFormat
    guard raw.width == tensor.width, raw.height == tensor.height else {
      throw SegmentationError(
        .inferenceFailed,
        "the network gave a matte of \(raw.width)x\(raw.height) for a picture of "
          + "\(tensor.width)x\(tensor.height); use a model whose sizes are the same")
    }
    let region = preparation.region
    let steady = unsafe smoothing.smooth(
      raw.base + region.y * raw.width + region.x, stride: raw.width, strength: settings.smoothing)
    for y in 0..<plain.grid.height {
      unsafe kernels.quantize(steady.row(y), plain.samples.row(y), plain.grid.width)
    }
    matte = settings.matteGrow == 0 ? plain : squareMatte()
    let amounts = EdgeShaping.Amounts(
      settings: settings, frameHeight: format.height, grid: matte.grid)
    if shaping?.serves(amounts, on: matte.grid) != true {
      shaping = EdgeShaping(grid: matte.grid, amounts: amounts, kernels: kernels)
    }
    shaping?.apply(to: matte.samples)
    clock.finish(.matte)
  }

  private func squareMatte() -> Matte {
    let grid = MatteGrid(format: format, shift: reduced.shift)
    let (matte, rows) =
      square
      ?? (
        Matte(grid: grid),
        ScaledRows(
          plain.grid.axes(count: grid.width, rows: grid.height, step: grid.stepX),
          kernels: kernels)
      )
    square = (matte, rows)
    rows.begin()
    for y in 0..<grid.height {
      unsafe matte.samples.row(y).update(
        from: rows.row(y, of: plain.samples), count: grid.width)
    }
    return matte
  }
}
