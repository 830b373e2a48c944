#if canImport(Glibc)
  import Glibc
#endif
import VirtualBackground

/// A thread of a test's own.
///
/// Not a task: those share a few threads with the tests themselves, which block while they wait.
public final class HelperThread<Value: Sendable>: Sendable {
  private let result = Monitor<Value?>(nil)

  /// Starts `work`.
  public init(_ work: @escaping @Sendable () -> Value) {
    let context = unsafe Unmanaged.passRetained(
      Work { [result] in
        let value = work()
        result.change { $0 = value }
      }
    ).toOpaque()
    // The thread takes over the reference that is passed to it, and is waited for by its result.
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().work()
        }
        return nil
      }, context)
    precondition(failure == 0, "there is no thread to be had")
    pthread_detach(thread)
  }

  /// Waits for the end of the work; what it returned.
  public func join() -> Value {
    result.wait { $0 }
  }
}

private final class Work: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }
}

/// Lets a helper thread use what a test holds for as long as that thread runs.
public struct Borrowed<Value: AnyObject>: @unchecked Sendable {
  /// What is lent.
  public let value: Value

  /// Borrows an object that outlives the helper thread.
  public init(_ value: Value) {
    self.value = value
  }
}
