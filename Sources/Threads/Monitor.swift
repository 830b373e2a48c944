import Glibc

/// A value protected by a lock, with a condition to wait for its changes.
///
/// The monitor uses POSIX threads, which have condition variables and which the sanitizers support.
/// The lock is not recursive. Hold it only to copy or change the value.
@safe package final class Monitor<Value: Sendable>: @unchecked Sendable {
  // Sendable because `value` is accessed only while `mutex` is held. The monitor owns
  // the memory of the mutex and the condition, which must not move while threads use them.
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    // Use a clock that cannot be set.
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(changed, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  package var current: Value { withLock { $0 } }

  /// Reads or changes the value without waking waiting threads.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Changes the value and wakes all waiting threads.
  @discardableResult
  package func change<Result>(_ body: (inout Value) -> Result) -> Result {
    defer { unsafe pthread_cond_broadcast(changed) }
    return withLock(body)
  }

  /// Changes the value and wakes at most `count` waiting threads, which all wait for the same.
  package func change(waking count: Int, _ body: (inout Value) -> Void) {
    withLock(body)
    for _ in 0..<count { unsafe pthread_cond_signal(changed) }
  }

  /// Waits until `body`, which is called now and after each change, returns a result.
  package func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }

  /// Waits like `wait(until:)`, but returns nil after `limit`.
  package func wait<Result>(upTo limit: Duration, until body: (inout Value) -> Result?) -> Result? {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + 1000 * limit.microseconds
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      if unsafe pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
        return body(&value)
      }
    }
  }
}

extension Duration {
  /// Whole microseconds for a wait, between 0 and 30 years, so that a sum with a time cannot
  /// overflow.
  package var microseconds: Int {
    Int(min(max(self, .zero), .seconds(1_000_000_000)) / .microseconds(1))
  }
}
