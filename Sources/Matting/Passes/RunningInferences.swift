import Synchronization

/// Counts the running inferences.
///
/// Streams that can wait start an inference while no other inference runs. Thread-safe.
public final class RunningInferences: Sendable {
  /// The inferences of all streams in the process.
  public static let ofProcess = RunningInferences()

  private let count = Atomic<Int>(0)

  /// Creates a counter that starts at 0.
  public init() {}

  /// Whether any inference runs.
  package var areAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// Records the start of an inference.
  package func begin() { count.wrappingAdd(1, ordering: .relaxed) }

  /// Records the end of an inference.
  package func end() { count.wrappingSubtract(1, ordering: .relaxed) }
}
