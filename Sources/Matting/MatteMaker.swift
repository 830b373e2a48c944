import PixelTypes
import Processor

/// Computes the matte of a frame with an inference, or from a mask that replaces it.
///
/// The steps are: prepare the tensor, infer, refine the edge, smooth over time, select the people,
/// shape the edge. The maker owns everything that remembers earlier mattes. Frames that get no
/// inference do not reach it.
///
/// Not thread-safe.
final class MatteMaker {
  /// Chooses the people to show, or nil to show everyone.
  var selector: (any PersonSelector)?
  /// The last matte.
  let matte: Matte

  /// The edge contrast for an exact network with samples `maxWideStep` pixels apart.
  ///
  /// Enlarging the matte turns each edge into a ramp that is wider than the edge in the picture. If
  /// the samples are up to `minWideStep` pixels apart, no contrast is added.
  private static let contrast = 1.3
  private static let minWideStep = 1.5, maxWideStep = 3.0
  /// The edge contrast for an approximate network: its edge is fitted to the picture's colours.
  private static let refinedContrast: Float = 1.5

  private let format: FrameFormat
  private let segmentation: FrameSegmentation
  private let refinement: EdgeRefinement
  private let smoothing: TemporalSmoothing
  private let components: ComponentFilter
  private var shaping: EdgeShaping?
  /// Places the masks from upstream.
  private var maskPlacement: MattePlacement?
  private var clock = MatteClock()

  /// Creates tables and buffers for upright frames of `format`, reduced by `1 << shift`.
  init(
    format: FrameFormat, shift: Int, segmenters: Segmenters, bands: Bands,
    runningInferences: RunningInferences
  ) {
    self.format = format
    let grid = MatteGrid(format: format, shift: shift)
    matte = Matte(grid: grid)
    segmentation = FrameSegmentation(
      segmenters, format: format, shift: shift, grid: grid, bands: bands,
      runningInferences: runningInferences)
    refinement = EdgeRefinement(width: grid.width)
    smoothing = TemporalSmoothing(width: grid.width, height: grid.height)
    components = ComponentFilter(grid: grid)
  }

  /// The accuracy of the mattes along the edge of the person.
  var edge: MatteEdge { segmentation.edge }

  /// Whether the networks have seen a frame since their last reset.
  var hasPast: Bool { segmentation.hasPast }

  /// The luma of the last matte's frame, at the size of the matte.
  var picture: Plane { smoothing.picture }

  func reset() {
    resetNetworks(warmsUp: true)
    smoothing.reset()
    resetPeople()
    clock.reset()
  }

  /// Discards the networks' memory of earlier frames, as `FrameSegmentation.reset` does.
  func resetNetworks(warmsUp: Bool) { segmentation.reset(warmsUp: warmsUp) }

  /// Discards the people of earlier frames.
  func resetPeople() {
    segmentation.resetPeople()
    components.reset()
    selector?.reset()
  }

  /// Computes the matte of a frame.
  ///
  /// `frame` is the upright frame in full size. `clock` receives the time of each stage. Throws
  /// `SegmentationError` if an inference fails or if its result does not fit the network's input.
  /// Call `reset()` after that.
  func makeMatte(
    for input: MatteInput, of frame: Frame, clock stages: inout StageClock
  ) throws(SegmentationError) {
    var context = MatteContext(
      frame: frame, format: format, input: input, ticks: clock.advance(to: input.time),
      seenColumns: 0..<matte.grid.width)
    try segment(&context, &stages)
    try selectPeople(context)
    shapeEdge(input.settings)
    stages.finish(\.matte)
  }

  /// Writes the matte of the networks, or the mask that replaces them, to the grid.
  private func segment(
    _ context: inout MatteContext, _ stages: inout StageClock
  ) throws(SegmentationError) {
    let (input, picture) = (context.input, context.input.picture)
    if let mask = input.mask {
      place(mask)
      refinement.refine(matte.samples, picture: picture, contrast: Self.refinedContrast)
    } else {
      let stage = try segmentation.makeMatte(
        of: context.frame, reduced: picture, former: smoothing.picture, after: context.ticks,
        into: matte.samples, clock: &stages)
      context.seenColumns = matte.grid.columns(of: segmentation.seenRegion)
      refineEdge(of: stage, picture)
    }
    smoothing.smooth(matte.samples, luma: picture.luma, strength: input.settings.smoothing)
    if input.mask == nil { segmentation.recordPeople(in: matte.samples) }
  }

  private func place(_ mask: PersonMask) {
    let (width, height) = (mask.samples.width, mask.samples.height)
    if maskPlacement?.isCompatible(width: width, height: height) != true {
      maskPlacement = MattePlacement(width: width, height: height, grid: matte.grid)
    }
    maskPlacement?.place(mask, into: matte.samples)
  }

  /// Clears everything except the people to show.
  private func selectPeople(_ context: MatteContext) throws(SegmentationError) {
    if let selector {
      try selector.select(in: matte, of: context, with: components)
    } else {
      components.apply(to: matte.samples, after: context.ticks)
    }
  }

  /// Moves and widens the edge according to the user's settings.
  private func shapeEdge(_ settings: MatteSettings) {
    let amounts = EdgeShaping.Amounts(
      settings: settings, frameHeight: format.height, grid: matte.grid)
    if shaping?.amounts != amounts { shaping = EdgeShaping(grid: matte.grid, amounts: amounts) }
    shaping?.apply(to: matte.samples)
  }

  private func refineEdge(of stage: SegmentationStage, _ picture: Frame) {
    switch stage.segmenter.edge {
    case .approximate:
      refinement.refine(matte.samples, picture: picture, contrast: Self.refinedContrast)
    case .exact:
      let (sharp, wide) = (Self.minWideStep, Self.maxWideStep)
      let need = min(max((stage.step - sharp) / (wide - sharp), 0), 1)
      guard need > 0 else { return }
      let contrast = Float(1 + need * (Self.contrast - 1))
      for y in 0..<matte.grid.height {
        unsafe kernels.contrastRow(matte.samples.row(y), contrast, matte.grid.width)
      }
    }
  }
}
