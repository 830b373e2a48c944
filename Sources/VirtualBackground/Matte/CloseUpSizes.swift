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
  /// The size that takes over soon: it has to run on each frame that the current one runs on.
  private(set) var next: SegmentationStage?

  /// People have to be side by side for so long: gestures pass.
  private static let patienceBeforeLarger = MatteClock.ticks(seconds: 0.5)
  /// Whoever leans over comes back.
  private static let patienceBeforeOwn = MatteClock.ticks(seconds: 2)
  /// A network with a memory gains by each frame, by those after so many hardly.
  private static let runsBeforeUse = 4

  private let coarsest: SegmentationStage?
  private let largerOnDemand: (any SegmenterOnDemand)?
  private let makeStage: (any Segmenter) -> SegmentationStage
  private var larger: SegmentationStage?
  private var changeTime = ConditionTime()
  private var runs = 0

  /// Begins with `own`, which is coarser than the larger size and finer than `coarser`; either may be
  /// missing.
  init(
    own: SegmentationStage, coarser: (any Segmenter)?, larger: (any SegmenterOnDemand)?,
    makeStage: @escaping (any Segmenter) -> SegmentationStage
  ) {
    self.own = own
    coarsest = coarser.map(makeStage)
    largerOnDemand = larger
    self.makeStage = makeStage
    current = own
  }

  /// Begins anew, and lets the networks forget what they saw.
  func forgetPast() {
    current = own
    next = nil
    changeTime.reset()
    own.segmenter.forgetPast()
    larger?.segmenter.forgetPast()
    coarsest?.segmenter.forgetPast()
  }

  /// The next size below the one that is used; nil where there is none.
  var coarser: SegmentationStage? { isLarger ? own : coarsest }

  private var isLarger: Bool { current !== own }

  /// Fits what the networks remember to another view.
  func movePast(from old: PixelRegion, to new: PixelRegion) {
    own.segmenter.movePast(from: old, to: new)
    larger?.segmenter.movePast(from: old, to: new)
    coarsest?.segmenter.movePast(from: old, to: new)
  }

  /// In the first frame, which is looked at several times, the larger size begins at once.
  func begin(sideBySide: Bool) {
    if sideBySide, let larger = preparedLarger() { current = larger }
  }

  /// Notes whether people are side by side, so many ticks after the frame before.
  func note(sideBySide: Bool, after ticks: Int) {
    guard largerOnDemand != nil else { return }
    let patience = isLarger ? Self.patienceBeforeOwn : Self.patienceBeforeLarger
    guard changeTime.note(sideBySide != isLarger, after: ticks, lasts: patience) else {
      next = nil
      return
    }
    guard let next else {
      next = isLarger ? own : preparedLarger()
      next?.segmenter.forgetPast()
      runs = 0
      return
    }
    guard runs >= Self.runsBeforeUse else { return }
    current = next
    self.next = nil
    changeTime.reset()
  }

  /// Notes that `next` has run on a frame.
  func noteRunOfNext() { runs += 1 }

  /// The larger size; nil as long as its network is being made.
  private func preparedLarger() -> SegmentationStage? {
    if larger == nil { larger = largerOnDemand?.segmenter().map(makeStage) }
    return larger
  }
}
