/// Plates made ahead of time, in the order in which they are to be shown.
///
/// Adding and taking allocate nothing while no more wait than ever did.
public struct PlateQueue: Sendable {
  /// How much earlier than its time a plate is shown, in nanoseconds.
  ///
  /// Containers round their times to milliseconds. Without this, every third picture of a video of
  /// 30 frames a second would come a frame late, and the one after it not at all.
  public static let tolerance: UInt64 = 1_000_000

  private var waiting: [(time: UInt64, plate: Plate)] = []

  /// An empty queue.
  public init() {}

  /// How many plates wait.
  public var count: Int { waiting.count }

  /// Adds a plate that is to be shown from `time` on, in nanoseconds, not before those that wait.
  public mutating func add(_ plate: Plate, at time: UInt64) {
    waiting.append((time, plate))
  }

  /// Throws away all plates.
  public mutating func removeAll() {
    waiting.removeAll(keepingCapacity: true)
  }

  /// Whether the first plate is to be shown at `time`.
  public func isDue(at time: UInt64) -> Bool {
    waiting.first.map { Self.isDue($0.time, at: time) } ?? false
  }

  /// Takes the newest plate that is to be shown at `time`, and those before it; nil when none is due.
  public mutating func take(at time: UInt64) -> Plate? {
    let count = waiting.prefix { Self.isDue($0.time, at: time) }.count
    guard count > 0 else { return nil }
    let plate = waiting[count - 1].plate
    waiting.removeFirst(count)
    return plate
  }

  /// Whether what is to be shown from `start` on is to be shown at `time`.
  public static func isDue(_ start: UInt64, at time: UInt64) -> Bool {
    start <= time || start - time <= tolerance
  }
}
