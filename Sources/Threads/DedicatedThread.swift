import Glibc

/// A separate thread for long work.
///
/// The thread ends after its work, whether it is joined or not. Not thread-safe.
@safe package final class DedicatedThread {
  // Valid until the thread is joined or detached, which `isJoined` allows only once.
  private let thread: pthread_t
  private var isJoined = false

  /// Runs `work` on a new thread, or returns nil if the system cannot create one.
  ///
  /// Debuggers show up to 15 bytes of the name.
  package init?(_ name: String, _ work: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(
      Body {
        Self.setName(name)
        work()
      })
    var thread = pthread_t()
    // The new thread takes ownership of the reference that is passed to it.
    let failure = unsafe pthread_create(
      &thread, nil,
      { body in
        if let body = unsafe body {
          unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().work()
        }
        return nil
      }, body.toOpaque())
    guard failure == 0 else {
      unsafe body.release()
      return nil
    }
    self.thread = thread
  }

  deinit {
    if !isJoined { pthread_detach(thread) }
  }

  /// Names the calling thread through /proc, because POSIX has no function for it.
  package static func setName(_ name: String) {
    let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = unsafe write(file, name, name.utf8.count)
    close(file)
  }

  /// Waits for the end of the work.
  ///
  /// If the work itself calls this, the thread is only detached.
  package func join() {
    if isJoined { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
    isJoined = true
  }

  /// A class without a generic parameter, so that a C function can name it.
  private final class Body: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
}
