/// Plates made ahead of time, in presentation order.
///
/// Adding and removing allocates only when the queue is longer than ever before.
public struct PlateQueue: Sendable {
  /// How much earlier than its time a plate is shown, in nanoseconds.
  ///
  /// Containers round their times to milliseconds. Without a tolerance every third picture of a
  /// video at 30 frames per second would be a frame late, and the next one would be skipped.
  public static let tolerance: UInt64 = 1_000_000

  private var waiting: [(time: UInt64, plate: Plate)] = []

  /// Creates an empty queue.
  public init() {}

  /// The number of waiting plates.
  public var count: Int { waiting.count }

  /// Adds a plate to show from `time` on, in nanoseconds.
  ///
  /// The time must not be before the times of the waiting plates.
  public mutating func add(_ plate: Plate, at time: UInt64) {
    waiting.append((time, plate))
  }

  /// Discards all plates.
  public mutating func removeAll() {
    waiting.removeAll(keepingCapacity: true)
  }

  /// Whether the first plate is due at `time`.
  public func isDue(at time: UInt64) -> Bool {
    waiting.first.map { Self.isDue($0.time, at: time) } ?? false
  }

  /// Removes the plates that are due at `time`, and returns the newest of them or nil.
  public mutating func take(at time: UInt64) -> Plate? {
    let count = waiting.prefix { Self.isDue($0.time, at: time) }.count
    guard count > 0 else { return nil }
    let plate = waiting[count - 1].plate
    waiting.removeFirst(count)
    return plate
  }

  /// Whether a plate with the start time `start` is due at `time`.
  public static func isDue(_ start: UInt64, at time: UInt64) -> Bool {
    start <= time || start - time <= tolerance
  }
}
