#if canImport(Glibc)
  import Glibc
#endif

/// A value that one thread at a time looks at, and on whose change others can wait.
///
/// Built on POSIX threads: their lock comes with a condition to wait on, and the sanitizers know
/// it. Not recursive; hold it only to copy or to change the value.
@safe final class Monitor<Value>: @unchecked Sendable {
  // `value` is only touched with `mutex` held, which is what makes the class Sendable; what is not
  // Sendable in it must not be kept by those who look. The monitor owns the memory of the mutex and
  // the condition, which must not move while threads use them.
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  /// Makes a monitor that holds `value`.
  init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at the value or changes it, without waking those who wait.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Changes the value and wakes all who wait.
  func change(_ body: (inout Value) -> Void) {
    unsafe pthread_mutex_lock(mutex)
    body(&value)
    unsafe pthread_cond_broadcast(changed)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until `body` finds what it looks for in the value; asks it now and after each change.
  func wait<Result>(until body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(changed, mutex)
    }
  }
}
