/// A network that takes up to a second to make, and is made when it is first needed.
///
/// Used on one thread at a time.
public protocol SegmenterOnDemand: AnyObject {
  /// The network; nil as long as it is being made, and where it cannot be made.
  ///
  /// The first call has it made. Where frames can wait it waits until that is done, or the stream is
  /// flushed or stops.
  func segmenter() -> (any Segmenter)?

  /// Whether it is being made.
  func isBeingMade() -> Bool

  /// Why it cannot be made, the first time that this is asked after it failed.
  func takeFailure() -> SegmentationError?

  /// Nobody needs it any more: it is not made, if that has not begun.
  func withdraw()
}
