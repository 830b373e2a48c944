/// What one inference takes on this machine.
public struct InferenceCost: Equatable, Sendable {
  /// Nanoseconds from its beginning to its end.
  public var time: UInt64
  /// Nanoseconds of one core, on all threads.
  public var processorTime: UInt64

  /// Makes a cost.
  public init(time: UInt64, processorTime: UInt64) {
    self.time = time
    self.processorTime = processorTime
  }
}
