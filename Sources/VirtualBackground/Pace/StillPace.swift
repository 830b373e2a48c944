/// Says when a scene in which nothing moves gets an inference all the same.
///
/// What the network makes of a scene may change without a motion, and what moves may be too faint to
/// be noticed: so it looks again each second.
public struct StillPace: Sendable {
  private static let longestRest: UInt64 = 1_000_000_000
  private var lastInference: UInt64?

  /// The first frame gets an inference.
  public init() {}

  /// Whether the frame at `time` nanoseconds may do without an inference; one without a time may not.
  public func mayRest(at time: UInt64?) -> Bool {
    guard let time, let lastInference, time >= lastInference else { return false }
    return time - lastInference < Self.longestRest
  }

  /// Takes in that the frame at `time` nanoseconds had an inference.
  public mutating func noteInference(at time: UInt64?) {
    lastInference = time
  }
}
