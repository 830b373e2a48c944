import InferenceTypes
import PixelTypes

/// The close-up's network at its own size, and at a larger one for as long as people are side by side.
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

  private let largerOnDemand: (any SegmenterOnDemand)?
  private let makeStage: (any Segmenter) -> SegmentationStage
  private var larger: SegmentationStage?
  private var changeTime = ConditionTime()
  private var runs = 0

  /// Begins with `own`; without `larger`, of which `makeStage` makes the other size, there is nothing
  /// to choose.
  init(
    own: SegmentationStage, larger: (any SegmenterOnDemand)?,
    makeStage: @escaping (any Segmenter) -> SegmentationStage
  ) {
    self.own = own
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
  }

  /// Fits what the networks remember to another view.
  func movePast(from old: PixelRegion, to new: PixelRegion) {
    current.segmenter.movePast(from: old, to: new)
    next?.segmenter.movePast(from: old, to: new)
  }

  /// In the first frame, which is looked at several times, the larger size begins at once.
  func begin(sideBySide: Bool) {
    if sideBySide, let larger = preparedLarger() { current = larger }
  }

  /// Notes whether people are side by side, so many ticks after the frame before.
  func note(sideBySide: Bool, after ticks: Int) {
    guard largerOnDemand != nil else { return }
    let isLarger = current !== own
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
