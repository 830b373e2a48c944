import CGStreamer

/// What a thread of its own does; without a generic parameter, so that a C function can call it.
class ThreadWork {
  func run() {}

  /// Runs on a new thread, which keeps this object until its end; nil when there is none to be had.
  ///
  /// The caller joins the thread or gives the reference to it back.
  final func start(_ name: String) -> UnsafeMutablePointer<GThread>? {
    let context = unsafe Unmanaged.passRetained(self)
    // The new thread takes over the reference that is passed to it.
    let thread = unsafe g_thread_try_new(
      name,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context.toOpaque(), nil)
    if unsafe thread == nil { unsafe context.release() }
    return unsafe thread
  }
}
