import Synchronization

/// How many inferences run at the moment.
///
/// Streams that can wait begin theirs while no other one runs. Serves any thread.
public final class RunningInferences: Sendable {
  /// Those of all streams in the process.
  public static let ofProcess = RunningInferences()

  private let count = Atomic<Int>(0)

  /// None runs yet.
  public init() {}

  /// Whether any run.
  package var areAny: Bool { count.load(ordering: .relaxed) > 0 }

  /// One begins.
  package func begin() {
    count.wrappingAdd(1, ordering: .relaxed)
  }

  /// One has ended.
  package func end() {
    count.wrappingSubtract(1, ordering: .relaxed)
  }
}
