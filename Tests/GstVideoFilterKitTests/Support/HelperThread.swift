import CGStreamer

@testable import GstVideoFilterKit

/// A thread of a test's own.
///
/// Not a task: those share a few threads with the tests themselves, which block while they wait.
@safe final class HelperThread<Value: Sendable>: Sendable {
  private let result = Monitor<Value?>(nil)

  /// Starts `work`.
  init(_ work: @escaping @Sendable () -> Value) {
    let context = unsafe Unmanaged.passRetained(
      Work { [result] in
        let value = work()
        result.change { $0 = value }
      }
    ).toOpaque()
    let thread = unsafe g_thread_new(
      "helper",
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().work()
        }
        return nil
      }, context)
    unsafe g_thread_unref(thread)
  }

  /// Waits for the end of the work; what it returned.
  func join() -> Value {
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
struct Borrowed<Value: AnyObject>: @unchecked Sendable {
  let value: Value

  /// Borrows an object that outlives the helper thread.
  init(_ value: Value) {
    self.value = value
  }
}
