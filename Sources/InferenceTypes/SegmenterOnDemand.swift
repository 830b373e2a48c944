/// A network that takes up to a second to make, and is made when it is first needed.
///
/// Used on one thread at a time.
public protocol SegmenterOnDemand: AnyObject {
  /// The network; nil as long as it is being made, and where it cannot be made.
  ///
  /// The first call has it made.
  func segmenter() -> (any Segmenter)?

  /// Whether it is being made.
  var isBeingMade: Bool { get }
}
