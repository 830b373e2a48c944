import InferenceTypes
import PixelTypes
import Processor

/// Runs the networks of a stream on the parts of its frames that contain people.
///
/// A `CropPlanner` decides which network processes which part. This class runs the passes, combines
/// their mattes and reports the findings to the planner.
///
/// An object works for one frame format. Not thread-safe.
final class FrameSegmentation {
  private let format: FrameFormat
  private let grid: MatteGrid
  private let frame: PixelRegion
  private let shift: Int
  private let exposure: LowLightCurve
  private let wholeFrame: SegmentationStage
  private let crop: CropStages?
  /// The frame at twice the size of the reduced one, for crops that would be too coarse there.
  private let detail: ReducedFrame?
  private let people: PeopleBounds
  private var planner: CropPlanner
  /// The crop to which the state of the recurrent networks belongs.
  private var rememberedRegion: PixelRegion

  /// The networks that process a part of the frame, and the objects that combine their mattes.
  private struct CropStages {
    /// The network of the crop passes.
    let stage: SegmentationStage
    /// The crop network at a coarser size, which runs once a second, or nil if it has one size.
    let coarse: SegmentationStage?
    /// The network of the full-frame passes.
    let peopleFinder: SegmentationStage
    /// Limits the mattes of crops to where full-frame passes find people.
    let limit: FullFrameLimit
    /// The matte of one crop, if there are several.
    let part: Raster<UInt8>
    /// Compares two networks, or nil without a second one or if one of them is recurrent.
    let crossCheck: CrossCheck?
    /// Restores parts with the coarser size, or nil if the network has one size.
    let recovery: LowResolutionRecovery?
    /// Clears components that are not people, or nil without a second witness.
    let confirmation: Confirmation?
    /// The network that confirms people together with `peopleFinder`.
    let witness: SegmentationStage?
    /// The matte of a witness, on the grid.
    let answer: Raster<UInt8>
  }

  /// A frame in full size and in reduced size, and the luma of the previous matte's picture.
  private typealias Source = (frame: Frame, picture: Frame, former: Plane)

  /// The crop of a witness: the margin that its training data had around people.
  private static let witnessMargins = CropMargins(margin: 0.2, maxShare: 1)
  /// The minimum mean alpha of a witness's matte in a component that shows a person.
  ///
  /// Of 298 people, each gets at least 0.72 from both witnesses. Of 55 components of objects, one
  /// gets more than 0.51 from both, 0.88 (float32, landscape network and matting network).
  private static let minWitnessMean = 0.6

  /// Creates tables and buffers for frames of `format` and for mattes on `grid`.
  ///
  /// The reduced picture of a frame is smaller by `1 << shift`.
  init(
    _ segmenters: Segmenters, format: FrameFormat, shift: Int, grid: MatteGrid, bands: Bands,
    runningInferences: RunningInferences
  ) {
    frame = PixelRegion(wholeOf: format)
    rememberedRegion = frame
    self.shift = shift
    let minShift = segmenters.crop == nil ? shift : max(shift - 1, 0)
    detail =
      minShift == shift
      ? nil
      : ReducedFrame(format: format, shift: minShift, bands: bands)
    let exposure = LowLightCurve(format.colorimetry)
    self.exposure = exposure
    func stage(_ segmenter: any Segmenter) -> SegmentationStage {
      SegmentationStage(
        segmenter, format: format, minShift: minShift, grid: grid, exposure: exposure,
        runningInferences: runningInferences)
    }
    let wholeFrame = stage(segmenters.wholeFrame)
    self.wholeFrame = wholeFrame
    var networks = CropPlanner.Networks()
    networks.remembersPast = segmenters.wholeFrame.remembersPast
    crop = segmenters.crop.map { crop in
      func shared(_ segmenter: any Segmenter) -> SegmentationStage {
        segmenter === segmenters.wholeFrame ? wholeFrame : stage(segmenter)
      }
      // A network that sees the full frame in between would lose its memory of the crop.
      let hasOwnNetwork = crop.segmenter !== crop.peopleFinder
      networks.canCheck =
        crop.segmenter !== segmenters.wholeFrame && !crop.segmenter.remembersPast
        && !segmenters.wholeFrame.remembersPast
      networks.hasCrop = true
      networks.cropIsWholeFrame = crop.segmenter === segmenters.wholeFrame
      networks.peopleFinderIsWholeFrame = crop.peopleFinder === segmenters.wholeFrame
      networks.remembersPast = crop.segmenter.remembersPast
      networks.hasCoarseCrop = crop.coarse != nil
      networks.canSearchTiles = crop.witness != nil
      return CropStages(
        stage: hasOwnNetwork ? shared(crop.segmenter) : stage(crop.segmenter),
        coarse: crop.coarse.map(stage),
        peopleFinder: shared(crop.peopleFinder),
        limit: FullFrameLimit(grid: grid),
        part: Raster(
          width: networks.remembersPast ? 0 : grid.width, height: grid.height, filledWith: 0),
        crossCheck: networks.canCheck ? CrossCheck(grid: grid) : nil,
        recovery: networks.hasCoarseCrop
          ? LowResolutionRecovery(grid: grid) : nil,
        confirmation: crop.witness.map { _ in Confirmation(grid: grid) },
        witness: crop.witness.map(stage),
        answer: Raster(width: grid.width, height: grid.height, filledWith: 0))
    }
    let closest = (segmenters.crop?.segmenter ?? segmenters.wholeFrame).inputFormat
    planner = CropPlanner(
      format: format, networks: networks,
      aspect: Double(closest.width) / Double(closest.height),
      margins: segmenters.crop?.margins ?? CropMargins(margin: 0, maxShare: 0))
    people = PeopleBounds(format: format, grid: grid)
    (self.format, self.grid) = (format, grid)
  }

  /// The accuracy of the mattes along the edge of the person.
  var edge: MatteEdge { (crop?.stage ?? wholeFrame).segmenter.edge }

  /// Whether there was a frame since the last reset.
  var hasPast: Bool { planner.hasPast }

  /// The part of the frame that the networks processed for the last matte.
  ///
  /// Valid until `recordPeople` is called.
  var seenRegion: PixelRegion { planner.seenRegion }

  /// Discards the state of earlier frames.
  ///
  /// Pass false to `warmsUp` if the stream already shows frames, which must not wait for warm-up
  /// runs.
  func reset(warmsUp: Bool = true) {
    planner.reset(warmsUp: warmsUp)
    rememberedRegion = planner.region
    wholeFrame.segmenter.reset()
    crop?.stage.segmenter.reset()
    crop?.coarse?.segmenter.reset()
    crop?.peopleFinder.segmenter.reset()
    exposure.reset()
  }

  func resetPeople() { crop?.confirmation?.reset() }

  /// Writes the matte of a frame to `out`, on the grid, and returns the stage that computed it.
  ///
  /// `picture` is the reduced frame, and `former` the luma of the previous matte's picture. `ticks`
  /// is the time since the previous frame. Throws
  /// `SegmentationError` if an inference fails or if its result does not fit the network's input.
  func makeMatte(
    of frame: Frame, reduced picture: Frame, former: Plane, after ticks: Int,
    into out: Raster<UInt8>, clock: inout StageClock
  ) throws(SegmentationError) -> SegmentationStage {
    exposure.adapt(to: picture, after: ticks)
    let source = (frame, picture, former)
    var maker = wholeFrame
    planner.begin(after: ticks, isDark: exposure.isDark)
    defer { planner.end() }
    try runPasses(on: source, out, &maker, &clock)
    if planner.isLimited { crop?.limit.apply(to: out) }
    try confirmPeople(in: out, source, after: ticks, &clock)
    if planner.isSearchDue, people.find(in: out) == nil {
      planner.planSearch()
      try runPasses(on: source, out, &maker, &clock)
    }
    return maker
  }

  /// Chooses the crop for the next frame by the matte of this one.
  func recordPeople(in matte: Raster<UInt8>) {
    guard crop != nil else { return }
    planner.recordPeople(people.find(in: matte), apart: people.apart)
    moveMemory()
  }

  /// Runs the passes that are planned, and those that follow from them.
  ///
  /// `maker` becomes the network of the matte.
  private func runPasses(
    on source: Source, _ out: Raster<UInt8>, _ maker: inout SegmentationStage,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    while let pass = planner.next() {
      let stage = stage(pass.network)
      if !pass.isDone { try run(pass.network, pass.region, of: source, &clock) }
      switch pass.purpose {
      case .warmUp: break
      case .findPeople, .searchTile: findPeople(with: stage, pass)
      case .firstMatte: chooseCrop(by: stage, out)
      case .matte, .matteOfCrop, .furtherPerson:
        maker = stage
        try finishMatte(stage, pass, source, out, &clock)
      case .recovery: restore(with: stage, pass, to: out)
      case .confirmTile: if try confirm(stage, source, out, &clock) { maker = stage }
      }
      moveMemory()
    }
  }

  private func stage(_ network: Pass.Network) -> SegmentationStage {
    switch network {
    case .wholeFrame: wholeFrame
    case .crop: crop?.stage ?? wholeFrame
    case .coarseCrop: crop?.coarse ?? wholeFrame
    case .peopleFinder: crop?.peopleFinder ?? wholeFrame
    case .witness: crop?.witness ?? wholeFrame
    }
  }

  /// Finds people with the matte of a full-frame pass or of a tile.
  private func findPeople(with stage: SegmentationStage, _ pass: Pass) {
    guard let limit = crop?.limit else { return }
    limit.update(from: stage)
    let found = people.find(in: limit.matte)
    if pass.purpose == .searchTile {
      planner.recordTile(found, apart: people.apart)
    } else {
      planner.recordFullFrame(found, apart: people.apart)
    }
  }

  /// Chooses the crop of the first frame by a first matte, and uses `out` as memory for it.
  private func chooseCrop(by stage: SegmentationStage, _ out: Raster<UInt8>) {
    stage.place(into: out)
    planner.recordFirstMatte(people.find(in: out))
    // Move the state in two steps. Otherwise the network would remember the part that the second
    // step adds as a part without people.
    moveMemory()
    planner.planAfterFirstMatte()
  }

  /// Writes the matte of a pass, and checks it with a second network if the pass has one.
  private func finishMatte(
    _ stage: SegmentationStage, _ pass: Pass, _ source: Source, _ out: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) {
    let matte = pass.purpose == .furtherPerson ? crop?.part ?? out : out
    stage.place(into: matte)
    if let checker = pass.checker, let crossCheck = crop?.crossCheck {
      try run(checker, pass.region, of: source, &clock)
      self.stage(checker).place(into: crossCheck.matte)
      let share = crossCheck.contradictedShare(of: matte)
      if planner.recordCheck(share: share) { crossCheck.limit(matte, contradicted: share) }
    }
    if pass.purpose == .matteOfCrop {
      planner.recordMatteOfCrop(isCutOff: stage.isCutOff(in: frame))
    } else if pass.purpose == .furtherPerson {
      for y in 0..<out.height {
        unsafe kernels.maximumRow(out.row(y), matte.row(y), out.row(y), out.width)
      }
    }
  }

  /// Adds the parts that the network of the crop missed.
  private func restore(with stage: SegmentationStage, _ pass: Pass, to matte: Raster<UInt8>) {
    guard let recovery = crop?.recovery else { return }
    stage.place(into: recovery.matte)
    let share = recovery.missedShare(of: matte, in: pass.region)
    if planner.recordRecovery(share: share, isCutOff: stage.isCutOff(in: frame)) {
      recovery.restore(to: matte, in: pass.region)
    }
  }

  /// Writes the matte of the people in a tile, and returns whether there are people.
  private func confirm(
    _ stage: SegmentationStage, _ source: Source, _ matte: Raster<UInt8>,
    _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    stage.place(into: matte)
    try confirmPeople(in: matte, source, after: 0, &clock)
    if planner.recordConfirmation(people.find(in: matte)) { return true }
    matte.fill(with: 0)
    // Do not reset the network of the crop: without state, it mistakes more background for people
    // than with the state of this tile.
    crop?.coarse?.segmenter.reset()
    return false
  }

  /// Clears the components of a matte that are not people.
  private func confirmPeople(
    in matte: Raster<UInt8>, _ source: Source, after ticks: Int, _ clock: inout StageClock
  ) throws(SegmentationError) {
    guard let crop, let confirmation = crop.confirmation else { return }
    let hasLeft = try confirmation.apply(
      to: matte, luma: source.picture.luma, former: source.former, after: ticks
    ) { (components, component, isKnown) throws(SegmentationError) in
      let isSeen = try sees(component, of: components, .peopleFinder, source, &clock)
      if isSeen == isKnown { return isKnown }
      return try sees(component, of: components, .witness, source, &clock)
    }
    guard hasLeft else { return }
    // A recurrent network remembers a person who has left.
    crop.stage.segmenter.reset()
    crop.coarse?.segmenter.reset()
  }

  /// Returns whether a witness sees a person in a component.
  ///
  /// The people finder sees the component as a whole. The other witness sees its upper part, and
  /// therefore people who stand as well as people who sit.
  private func sees(
    _ component: Int, of components: ConnectedComponents, _ network: Pass.Network,
    _ source: Source, _ clock: inout StageClock
  ) throws(SegmentationError) -> Bool {
    guard let answer = crop?.answer else { return false }
    let stage = stage(network)
    var region = grid.region(of: components[component], in: format)
    if network == .witness {
      region.height = min(region.height, region.width * 3 / 4 + 1)
      stage.segmenter.reset()
    }
    let tensor = stage.segmenter.inputFormat
    var view = CropTracker(
      format: format, aspect: Double(tensor.width) / Double(tensor.height),
      margins: Self.witnessMargins)
    view.follow(region, isNew: true)
    try run(network, view.region, of: source, &clock)
    stage.place(into: answer)
    let (columns, rows) = (grid.columns(of: view.region), grid.rows(of: view.region))
    var (sum, count) = (0, 0)
    components.forEachRun(of: component) { y, run in
      let run = run.clamped(to: columns)
      guard rows.contains(y), !run.isEmpty else { return }
      let row = unsafe answer.row(y)
      for x in run { unsafe sum &+= Int(row[x]) }
      count += run.count
    }
    return Double(sum) >= Self.minWitnessMean * 255 * Double(max(count, 1))
  }

  /// Moves the state of the recurrent networks to the crop.
  private func moveMemory() {
    guard planner.region != rememberedRegion else { return }
    crop?.stage.segmenter.movePast(from: rememberedRegion, to: planner.region)
    crop?.coarse?.segmenter.movePast(from: rememberedRegion, to: planner.region)
    rememberedRegion = planner.region
  }

  /// Runs a network on a part of the frame.
  private func run(
    _ network: Pass.Network, _ region: PixelRegion, of source: Source, _ clock: inout StageClock
  ) throws(SegmentationError) {
    let stage = stage(network)
    let tensor = stage.segmenter.inputFormat
    // A size slightly below the network's input size is enough.
    let wanted = ReducedFrame.shift(for: region, covering: (tensor.width, tensor.height))
    // The reduced picture has the right size for networks that process the full frame.
    let hasSize = region == frame && (network == .wholeFrame || network == .peopleFinder)
    if !hasSize, wanted < shift, let detail {
      try stage.infer(
        region, of: detail.reduce(source.frame, part: region), shift: detail.shift,
        clock: &clock)
    } else {
      try stage.infer(region, of: source.picture, shift: shift, clock: &clock)
    }
  }
}
