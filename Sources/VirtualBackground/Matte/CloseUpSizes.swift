import InferenceTypes
import PixelTypes

/// The close-up's network at the sizes that it runs at: its own, and a larger one for as long as people
/// are side by side.
///
/// A view of several people shows each one smaller. Before one size takes over from the other its network
/// runs beside in a few frames, so that it remembers what they show.
final class CloseUpSizes {
  /// The size for one person.
  let own: SegmentationStage
  /// The size that is used.
  private(set) var current: SegmentationStage
  /// The size that takes over soon: it has to run on each view that the current one runs on.
  private(set) var next: SegmentationStage?

  /// People have to be side by side for so long: gestures pass.
  private static let patienceBeforeLarger = MatteClock.ticks(seconds: 0.5)
  /// Whoever leans over comes back.
  private static let patienceBeforeOwn = MatteClock.ticks(seconds: 2)
  /// A network with a memory gains by each frame, by those after so many hardly.
  private static let framesBeforeUse = 4

  private let smallest: SegmentationStage?
  private var largerOnDemand: (any SegmenterOnDemand)?
  private let makeStage: (any Segmenter) -> SegmentationStage
  private var larger: SegmentationStage?
  private var changeTime = ConditionTime()
  /// Frames that `next` has run on.
  private var frames = 0
  private var hasNextRun = false

  /// Begins with `own`; a `smaller` and a `larger` size may be missing.
  init(
    own: SegmentationStage, smaller: (any Segmenter)?, larger: (any SegmenterOnDemand)?,
    makeStage: @escaping (any Segmenter) -> SegmentationStage
  ) {
    self.own = own
    smallest = smaller.map(makeStage)
    largerOnDemand = larger
    self.makeStage = makeStage
    current = own
  }

  /// Begins anew, and lets the networks forget what they saw.
  func forgetPast() {
    useOwn()
    own.segmenter.forgetPast()
    larger?.segmenter.forgetPast()
    smallest?.segmenter.forgetPast()
  }

  /// The next size below the one that is used; nil where there is none, or where it takes over.
  var smaller: SegmentationStage? { isLarger ? (next == nil ? own : nil) : smallest }

  /// Whether the larger size is used.
  var isLarger: Bool { current !== own }

  /// Fits what the networks remember to another view.
  func movePast(from old: PixelRegion, to new: PixelRegion) {
    current.segmenter.movePast(from: old, to: new)
    next?.segmenter.movePast(from: old, to: new)
    smaller?.segmenter.movePast(from: old, to: new)
  }

  /// Chooses the size at which the first frame is looked at again.
  func chooseFirst(sideBySide: Bool) {
    current = sideBySide ? preparedLarger() ?? own : own
  }

  /// Notes whether people are side by side, so many ticks after the frame before.
  func note(sideBySide: Bool, after ticks: Int) {
    guard largerOnDemand != nil else { return }
    if hasNextRun { frames += 1 }
    hasNextRun = false
    let patience = isLarger ? Self.patienceBeforeOwn : Self.patienceBeforeLarger
    guard changeTime.note(sideBySide != isLarger, after: ticks, lasts: patience) else {
      next = nil
      return
    }
    guard let next else {
      begin(isLarger ? own : preparedLarger())
      return
    }
    guard frames >= Self.framesBeforeUse else { return }
    current = next
    self.next = nil
    changeTime.reset()
  }

  /// Notes that `next` has run on this frame.
  func noteRunOfNext() { hasNextRun = true }

  /// Runs the networks; once more, and from then on, without the larger size where that fails.
  ///
  /// Throws what `run` throws without it.
  func doWithoutWhatFails(
    _ run: () throws(SegmentationError) -> Void
  ) throws(SegmentationError) {
    let usesLarger = isLarger || next != nil
    do throws(SegmentationError) {
      try run()
    } catch {
      guard usesLarger else { throw error }
      largerOnDemand = nil
      larger = nil
      useOwn()
      try run()
    }
  }

  private func useOwn() {
    current = own
    next = nil
    changeTime.reset()
  }

  private func begin(_ stage: SegmentationStage?) {
    next = stage
    frames = 0
    // Its own size remembers what it saw when it last looked for lost parts.
    if let stage, stage !== own { stage.segmenter.forgetPast() }
  }

  /// The larger size; nil as long as its network is being made.
  private func preparedLarger() -> SegmentationStage? {
    if larger == nil, let segmenter = largerOnDemand?.segmenter() {
      // It may have seen other frames before.
      segmenter.forgetPast()
      larger = makeStage(segmenter)
    }
    return larger
  }
}
