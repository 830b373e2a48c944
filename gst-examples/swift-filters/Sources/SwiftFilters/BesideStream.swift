import CSwiftFilters
import Synchronization

/// Work that takes long, done on a thread of its own while frames go on.
///
/// `outcome` is written by that thread before `isOver` is set, and looked at by the owner's only
/// after that: so the product, of whatever kind, is used by one thread at a time, which is what makes
/// the class Sendable.
@safe final class BesideStream<Product>: ThreadWork, @unchecked Sendable {
  private let work: @Sendable (_ isWanted: () -> Bool) throws -> Product
  private let isWanted = Atomic(true)
  private let isOver = Atomic(false)
  private var outcome: Result<Product, any Error>?
  // Owned until it is joined.
  private var thread: UnsafeMutablePointer<GThread>?

  /// Begins at once; the work may ask now and then whether it is still wanted.
  init(_ work: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Product) {
    self.work = work
    super.init()
    let context = unsafe Unmanaged<ThreadWork>.passRetained(self)
    // The new thread takes over the reference that is passed to it.
    unsafe thread = g_thread_try_new(
      "filter-load",
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context.toOpaque(), nil)
    // Without a thread the work is done here: late, but done.
    if unsafe thread == nil { unsafe context.takeRetainedValue().run() }
  }

  /// What came of it; nil as long as it goes on.
  func poll() -> Result<Product, any Error>? {
    isOver.load(ordering: .acquiring) ? outcome : nil
  }

  /// Says that nobody wants the product any more.
  func cancel() { isWanted.store(false, ordering: .relaxed) }

  /// Waits for its end.
  func join() {
    if let thread = unsafe thread { _ = unsafe g_thread_join(thread) }
    unsafe thread = nil
  }

  override func run() {
    outcome = Result { try work { isWanted.load(ordering: .relaxed) } }
    isOver.store(true, ordering: .releasing)
  }
}

/// What a thread does; C's functions know no generic types.
class ThreadWork {
  func run() {}
}
