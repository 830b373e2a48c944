import Synchronization

/// Counts the inferences that run at the moment.
///
/// Streams that can wait start an inference while no other one runs. Used from any thread.
public final class RunningInferences: Sendable {
  /// The inferences of all streams in the process.
  public static let ofProcess = RunningInferences()

  private let count = Atomic<Int>(0)

  /// Starts without inferences.
  public init() {}

  /// Whether any inference runs.
  package var areAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// Records the start of an inference.
  package func begin() {
    count.wrappingAdd(1, ordering: .relaxed)
  }

  /// Records the end of an inference.
  package func end() {
    count.wrappingSubtract(1, ordering: .relaxed)
  }
}
