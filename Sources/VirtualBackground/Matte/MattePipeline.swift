import PixelTypes

/// From a frame to its matte: shrink, infer, steady, scale, shape.
///
/// Made for one frame format and one network.
final class MattePipeline {
  /// Size and step of the matte: a sample for each `1 << shift` pixels of the frame.
  let reduced: ReducedFrame
  /// The matte of the last inferred frame, 255 for the person.
  let matte: Raster<UInt8>

  private let kernels: any RowKernels.Type
  private let segmenter: any Segmenter
  private let frameHeight: Int
  private let preparation: TensorPreparation
  private let smoothing: TemporalSmoothing
  private let coarse: Raster<UInt8>
  private let scaled: ScaledRows
  private var shaping: EdgeShaping?

  /// Makes tables and buffers for frames of `format` and the given network.
  init(format: FrameFormat, segmenter: any Segmenter, kernels: any RowKernels.Type) {
    self.kernels = kernels
    self.segmenter = segmenter
    frameHeight = format.height
    let tensor = segmenter.inputFormat
    let region = TensorPreparation.region(of: tensor, for: format)
    let shift = ReducedFrame.shift(
      for: format, coveringWidth: region.width, height: region.height)
    reduced = ReducedFrame(format: format, shift: shift, kernels: kernels)
    preparation = TensorPreparation(
      format: format, shift: shift, tensor: tensor, kernels: kernels)
    smoothing = TemporalSmoothing(width: region.width, height: region.height, kernels: kernels)
    coarse = Raster(width: region.width, height: region.height, filledWith: 0)
    matte = Raster(width: reduced.width, height: reduced.height, filledWith: 0)
    let step = Double(1 << shift)
    scaled = ScaledRows(
      horizontal: ScaleAxis(
        count: matte.width, sourceCount: region.width,
        scale: step * Double(region.width) / Double(format.width)),
      vertical: ScaleAxis(
        count: matte.height, sourceCount: region.height,
        scale: step * Double(region.height) / Double(format.height)),
      kernels: kernels)
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
    for y in 0..<coarse.height {
      unsafe kernels.quantize(steady.row(y), coarse.row(y), coarse.width)
    }
    scaled.begin()
    for y in 0..<matte.height {
      unsafe matte.row(y).update(from: scaled.row(y, of: coarse), count: matte.width)
    }
    shape(
      by: EdgeShaping.Amounts(settings: settings, frameHeight: frameHeight, shift: reduced.shift))
    clock.finish(.matte)
  }

  private func shape(by amounts: EdgeShaping.Amounts) {
    if shaping?.serves(amounts) != true {
      shaping = EdgeShaping(
        width: matte.width, height: matte.height, amounts: amounts, kernels: kernels)
    }
    shaping?.apply(to: matte)
  }
}
