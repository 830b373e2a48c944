import PixelTypes

/// A network, the preparation of its input and the placement of its matte.
final class SegmentationStage {
  let segmenter: any Segmenter
  /// Whether the network's usual input is the full frame.
  let seesFullFrames: Bool

  private let exposure: LowLightCurve
  private let runningInferences: RunningInferences
  private let preparation: TensorPreparation
  private let placement: MattePlacement
  /// The network's last matte, and the region of the frame that it belongs to.
  private var matte: (raw: RawMatte, view: PixelRegion)?

  /// Creates tables for frames of `format` that are reduced by at least `1 << minShift`.
  ///
  /// `exposure` brightens dark frames.
  init(
    _ segmenter: any Segmenter, format: FrameFormat, minShift: Int, grid: MatteGrid,
    exposure: LowLightCurve, runningInferences: RunningInferences, seesFullFrames: Bool
  ) {
    (self.segmenter, self.seesFullFrames) = (segmenter, seesFullFrames)
    (self.exposure, self.runningInferences) = (exposure, runningInferences)
    preparation = TensorPreparation(
      format: format, minShift: minShift, tensor: segmenter.inputFormat)
    placement = MattePlacement(
      width: preparation.region.width, height: preparation.region.height, grid: grid)
  }

  /// Runs the network on the region `view` of `source`, a frame reduced by `1 << shift`.
  ///
  /// Throws `SegmentationError` if the inference fails or if its result does not fit the network's
  /// input.
  func infer(
    _ view: PixelRegion, of source: Frame, shift: Int, clock: inout StageClock
  ) throws(SegmentationError) {
    matte = nil
    unsafe preparation.fill(
      segmenter.inputTensor, with: view, of: source, shift: shift, exposure: exposure)
    clock.finish(\.prepare)
    runningInferences.begin()
    defer { runningInferences.end() }
    defer { clock.helperTime &+= segmenter.consumeHelperTime() }
    let raw = try segmenter.infer()
    clock.finish(\.inference)
    let tensor = segmenter.inputFormat
    guard raw.width == tensor.width, raw.height == tensor.height else {
      throw SegmentationError(
        .inferenceFailed,
        "the network gave a matte of \(raw.width)x\(raw.height) for a picture of "
          + "\(tensor.width)x\(tensor.height); use a model whose sizes are the same")
    }
    matte = (raw, view)
  }

  /// The mean distance of the last matte's samples, in pixels of the frame.
  var step: Double {
    guard let (_, view) = matte else { return 1 }
    let samples = preparation.region.width * preparation.region.height
    return (Double(view.area) / Double(samples)).squareRoot()
  }

  /// Writes the last matte to `out`, at its place in the frame.
  func place(into out: Raster<UInt8>) {
    guard let (raw, view) = matte else { return }
    let region = preparation.region
    unsafe placement.place(
      raw.base + region.y * raw.width + region.x, stride: raw.width, view: view, into: out)
  }

  /// Returns whether a person in the last matte extends beyond its region, inside `frame`.
  func isCutOff(in frame: PixelRegion) -> Bool {
    guard let (raw, view) = matte else { return false }
    let region = preparation.region
    let first = unsafe raw.base + region.y * raw.width + region.x
    func shows(_ sample: UnsafePointer<Float>, _ step: Int, _ count: Int) -> Bool {
      // One or two samples are too few for a limb.
      (0..<count).count { unsafe sample[$0 * step] > 0.5 } > 2
    }
    return unsafe view.y > frame.y && shows(first, 1, region.width)
      || view.endY < frame.endY && shows(first + (region.height - 1) * raw.width, 1, region.width)
      || view.x > frame.x && shows(first, raw.width, region.height)
      || view.endX < frame.endX && shows(first + region.width - 1, raw.width, region.height)
  }
}
