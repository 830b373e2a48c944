/// What may be spent on the frames of a stream.
public struct WorkBudget: Equatable, Sendable {
  /// Share of one core's time; 0 is no limit.
  public var processorShare: Double
  /// Whether frames come by themselves, so that a thread which always works is too slow for them.
  ///
  /// Where the source waits for its frames to be taken such a thread says nothing.
  public var isLive: Bool

  /// Makes a budget.
  public init(processorShare: Double, isLive: Bool) {
    self.processorShare = processorShare
    self.isLive = isLive
  }
}
