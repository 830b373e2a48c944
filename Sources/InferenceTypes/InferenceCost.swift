/// What the inferences of a frame take on this machine.
public struct InferenceCost: Equatable, Sendable {
  /// Nanoseconds from their beginning to their end.
  public var time: UInt64
  /// Nanoseconds of one core, on all threads.
  public var processorTime: UInt64

  /// Makes a cost.
  public init(time: UInt64, processorTime: UInt64) {
    self.time = time
    self.processorTime = processorTime
  }
}
