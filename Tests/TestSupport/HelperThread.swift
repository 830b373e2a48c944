import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// A thread of a test's own.
///
/// Not a task: those share a few threads with the tests themselves, which block while they wait.
public final class HelperThread<Value: Sendable>: Sendable {
  private let result = Monitor<Value?>(nil)

  /// Starts `work`.
  public init(_ work: @escaping @Sendable () -> Value) {
    let context = unsafe Unmanaged<AnyWork>.passRetained(Work(work, result)).toOpaque()
    // The thread takes over the reference that is passed to it, and is waited for by its result.
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

  /// Waits for the end of the work; what it returned.
  ///
  /// Ends the process after five minutes: what hangs names the place then, instead of hanging on.
  public func join(file: StaticString = #file, line: UInt = #line) -> Value {
    guard let value = result.wait(upTo: .seconds(300), until: { $0 }) else {
      fatalError("a thread of a test does not come to its end", file: file, line: line)
    }
    return value
  }

  /// Waits for the end of the work, but no longer than that; what it returned, or nil.
  public func join(upTo limit: Duration) -> Value? {
    result.wait(upTo: limit) { $0 }
  }
}

/// What a thread does; without a generic parameter, so that a C function can call it.
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
    // Whoever waits for the result may count on the thread not holding anything any more.
    work = nil
    result.change { $0 = value }
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
