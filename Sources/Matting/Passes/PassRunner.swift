import PixelTypes

/// Runs networks on parts of frames: one run is a pass.
///
/// An object works for one frame format. Not thread-safe.
final class PassRunner {
  /// A frame in full size and in reduced size, and the matte that is made of it.
  struct Work {
    let frame: Frame, picture: Frame
    /// The luma of the previous matte's picture.
    let former: Plane
    let matte: Raster<UInt8>
    /// The network of the matte.
    var maker: SegmentationStage
    var clock: StageClock
  }

  /// Whether there was a frame since the last reset.
  var hasPast = false
  /// The runs of a recurrent network on the first frame, before its matte is used.
  private(set) var warmUps = maxWarmUps

  let format: FrameFormat
  let frame: PixelRegion
  /// The grid of the mattes.
  let grid: MatteGrid
  let exposure: LowLightCurve

  private let shift: Int
  /// The frame at twice the size of the reduced one, for crops that would be too coarse there.
  private let detail: ReducedFrame?
  private let runningInferences: RunningInferences

  /// MAD of 22 first frames was 4.6 with four runs and 5.3 without.
  private static let maxWarmUps = 4

  /// Creates tables and buffers for frames of `format` and for mattes on `grid`.
  ///
  /// The reduced picture of a frame is smaller by `1 << shift`.
  init(
    format: FrameFormat, shift: Int, grid: MatteGrid, hasCrops: Bool, bands: Bands,
    runningInferences: RunningInferences
  ) {
    (self.format, self.grid, self.shift) = (format, grid, shift)
    self.runningInferences = runningInferences
    frame = PixelRegion(wholeOf: format)
    exposure = LowLightCurve(format.colorimetry)
    detail =
      hasCrops && shift > 0 ? ReducedFrame(format: format, shift: shift - 1, bands: bands) : nil
  }

  /// Prepares a network, with the full frame as its usual input if `seesFullFrames`.
  func makeStage(_ segmenter: any Segmenter, seesFullFrames: Bool = false) -> SegmentationStage {
    SegmentationStage(
      segmenter, format: format, minShift: detail?.shift ?? shift, grid: grid, exposure: exposure,
      runningInferences: runningInferences, seesFullFrames: seesFullFrames)
  }

  func reset(warmsUp: Bool) {
    (hasPast, warmUps) = (false, warmsUp ? Self.maxWarmUps : 0)
    exposure.reset()
  }

  /// Warms up the state of a recurrent network on the first frame.
  func warmUp(
    _ stage: SegmentationStage, _ region: PixelRegion, _ work: inout Work
  ) throws(SegmentationError) {
    for _ in 0..<(hasPast ? 0 : warmUps) { try infer(stage, region, &work) }
  }

  /// Runs a network on a part of the frame.
  func infer(
    _ stage: SegmentationStage, _ region: PixelRegion, _ work: inout Work
  ) throws(SegmentationError) {
    let tensor = stage.segmenter.inputFormat
    // A size slightly below the network's input size is enough.
    let wanted = ReducedFrame.shift(for: region, covering: (tensor.width, tensor.height))
    // The reduced picture has the right size for networks that process the full frame.
    let hasSize = stage.seesFullFrames && region == frame
    if !hasSize, wanted < shift, let detail {
      try stage.infer(
        region, of: detail.reduce(work.frame, part: region), shift: detail.shift,
        clock: &work.clock)
    } else {
      try stage.infer(region, of: work.picture, shift: shift, clock: &work.clock)
    }
  }
}
