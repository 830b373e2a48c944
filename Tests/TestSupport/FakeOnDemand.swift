import InferenceTypes

/// A segmenter that is there after it was asked for so many times.
public final class FakeOnDemand: SegmenterOnDemand {
  /// How often it was asked for.
  public private(set) var requests = 0

  private let made: any Segmenter
  private let patience: Int

  /// Gives `segmenter` to those who ask more than `patience` times.
  public init(_ segmenter: any Segmenter, patience: Int = 0) {
    made = segmenter
    self.patience = patience
  }

  /// The segmenter, if it was asked for often enough.
  public func segmenter() -> (any Segmenter)? {
    requests += 1
    return requests > patience ? made : nil
  }

  /// Whether it was asked for, and not often enough.
  public func isBeingMade() -> Bool { requests > 0 && requests <= patience }

  /// It never fails.
  public func takeFailure() -> SegmentationError? { nil }

  /// Nothing is going on that could end.
  public func withdraw() {}
}
