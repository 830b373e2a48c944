import Synchronization

/// Counts what other threads compute for one that waits for them.
public final class HelperTime: Sendable {
  private let sum = Atomic<UInt64>(0)

  /// Begins at 0.
  public init() {}

  /// Nanoseconds of one core, in all.
  public var nanoseconds: UInt64 { sum.load(ordering: .relaxed) }

  /// Counts some more.
  package func add(_ nanoseconds: UInt64) {
    sum.wrappingAdd(nanoseconds, ordering: .relaxed)
  }
}
