import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// A thread for one test.
///
/// Tasks do not suffice: they share a few threads with the tests, which block while they wait.
package final class HelperThread<Value: Sendable>: Sendable {
  private let result = Monitor<Value?>(nil)

  /// Starts `work`.
  package init(_ work: @escaping @Sendable () -> Value) {
    let context = unsafe Unmanaged<AnyWork>.passRetained(Work(work, result)).toOpaque()
    // The thread takes ownership of the reference. Callers wait for `result`.
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<AnyWork>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context)
    precondition(failure == 0, "there is no thread to be had")
    pthread_detach(thread)
  }

  /// Waits for the end of the work and returns its result.
  ///
  /// Ends the process after five minutes, so that a hang shows its place.
  package func join(file: StaticString = #file, line: UInt = #line) -> Value {
    guard let value = result.wait(upTo: .seconds(300), until: { $0 }) else {
      fatalError("a thread of a test does not come to its end", file: file, line: line)
    }
    return value
  }

  /// Waits for the end of the work, with a timeout.
  ///
  /// Returns its result, or nil after the timeout.
  package func join(upTo limit: Duration) -> Value? {
    result.wait(upTo: limit) { $0 }
  }
}

/// The work of a thread, without a generic parameter, so that a C function can call it.
private class AnyWork {
  func run() {}
}

private final class Work<Value: Sendable>: AnyWork {
  private var work: (@Sendable () -> Value)?
  private let result: Monitor<Value?>

  init(_ work: @escaping @Sendable () -> Value, _ result: Monitor<Value?>) {
    self.work = work
    self.result = result
  }

  override func run() {
    guard let value = work?() else { return }
    // The thread must hold no references when `join` returns.
    work = nil
    result.change { $0 = value }
  }
}

/// Lends an object of a test to a helper thread for the lifetime of the thread.
package struct Borrowed<Value: AnyObject>: @unchecked Sendable {
  /// The lent object.
  package let value: Value

  /// Borrows an object that outlives the helper thread.
  package init(_ value: Value) {
    self.value = value
  }
}
