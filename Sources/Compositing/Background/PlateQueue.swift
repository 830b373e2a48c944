/// Plates painted ahead of time, in presentation order.
///
/// Allocates memory only if the queue becomes longer than ever before.
public struct PlateQueue: Sendable {
  /// The time in nanoseconds by which a plate is due before its own time.
  ///
  /// Containers round their times to milliseconds. Without a tolerance, every third picture of a
  /// video at 30 frames per second would be late. The next one would be skipped.
  public static let tolerance: UInt64 = 1_000_000

  private var waiting: [(time: UInt64, plate: Plate)] = []

  /// Creates an empty queue.
  public init() {}

  /// The number of waiting plates.
  public var count: Int { waiting.count }

  /// Adds a plate that is shown from `time` on, in nanoseconds.
  ///
  /// `time` must not be less than the time of any waiting plate.
  public mutating func add(_ plate: Plate, at time: UInt64) {
    waiting.append((time, plate))
  }

  /// Discards all plates.
  public mutating func removeAll() { waiting.removeAll(keepingCapacity: true) }

  /// Returns whether there is a waiting plate that is due at `time`.
  public func isDue(at time: UInt64) -> Bool {
    waiting.first.map { Self.hasBegun($0.time, at: time) } ?? false
  }

  /// Removes all plates that are due at `time`.
  ///
  /// Returns the latest of them, or nil if no plate is due.
  public mutating func take(at time: UInt64) -> Plate? {
    let count = waiting.prefix { Self.hasBegun($0.time, at: time) }.count
    guard count > 0 else { return nil }
    let plate = waiting[count - 1].plate
    waiting.removeFirst(count)
    return plate
  }

  /// Returns whether a plate with the start time `start` is due at `time`.
  public static func hasBegun(_ start: UInt64, at time: UInt64) -> Bool {
    start <= time || start - time <= tolerance
  }
}
