import Synchronization
import Threads

#if canImport(Glibc)
  import Glibc
#endif

/// Work on a frame that falls into bands, which may be done in any order and at the same time.
package protocol BandedWork: AnyObject {
  /// Does one band.
  func perform(band: Int)
}

/// One piece of banded work after another, done by the calling thread and the pool's together.
///
/// Used by one thread at a time; makes nothing on the heap while it works.
package final class BandedJob: @unchecked Sendable {
  // `work` and `count` are written by the caller before the pool sees the job and after it has
  // given it back; `openSlots`, `workers` and `helperTime` are only touched with the pool's lock
  // held. That makes it Sendable.
  fileprivate var work: (any BandedWork)?
  fileprivate var count = 0
  /// How many threads of the pool may still join, and how many work on it.
  fileprivate var openSlots = 0, workers = 0
  /// What those of the pool have computed, in nanoseconds.
  fileprivate var helperTime: UInt64 = 0
  fileprivate let next = Atomic(0)

  /// No work has been done yet.
  package init() {}

  /// Does all bands of `work`, with as many threads as they say; returns when the last one is done.
  package func perform(_ work: any BandedWork, _ bands: Bands) {
    guard bands.threads > 1, bands.count > 1 else {
      for band in 0..<bands.count { work.perform(band: band) }
      return
    }
    self.work = work
    count = bands.count
    next.store(0, ordering: .relaxed)
    WorkerPool.shared.offer(self, workers: bands.threads - 1)
    performBands()
    let computed = WorkerPool.shared.takeBack(self)
    bands.helperTime?.add(computed)
    self.work = nil
  }

  /// Takes one band after another until none is left.
  fileprivate func performBands() {
    while true {
      let band = next.add(1, ordering: .relaxed).oldValue
      guard band < count, let work else { return }
      work.perform(band: band)
    }
  }
}

/// Threads that help with the rows of large frames, shared by all engines of the process.
///
/// They are started when they are first needed and wait without cost in between. A thread that the
/// system does not run at the moment delays only the band that it has taken.
private final class WorkerPool: Sendable {
  static let shared = WorkerPool()

  private struct SharedState: Sendable {
    /// Jobs that may have bands left and take another thread, the oldest first.
    var jobs: [BandedJob] = []
    var threads = 0
  }

  private let shared: Monitor<SharedState>

  private init() {
    var shared = SharedState()
    shared.jobs.reserveCapacity(64)
    self.shared = Monitor(shared)
  }

  /// Lets so many of the pool's threads work on a job, after making sure that there are enough of
  /// them; another job may have asked for more.
  func offer(_ job: BandedJob, workers: Int) {
    shared.change { shared in
      // Where the system grants no more threads, the caller does what is left.
      while shared.threads < workers, Self.startThread() { shared.threads += 1 }
      job.openSlots = workers
      job.helperTime = 0
      shared.jobs.append(job)
    }
  }

  /// Returns when no thread of the pool works on the job any more: what they have computed for it.
  func takeBack(_ job: BandedJob) -> UInt64 {
    shared.wait { shared in
      shared.jobs.removeAll { $0 === job }
      return job.workers == 0 ? job.helperTime : nil
    }
  }

  private func work() {
    while true {
      let job = shared.wait { shared in
        guard let job = shared.jobs.first else { return nil as BandedJob? }
        job.workers += 1
        job.openSlots -= 1
        if job.openSlots == 0 { shared.jobs.removeFirst() }
        return job
      }
      let before = SystemClock.computed
      job.performBands()
      let computed = SystemClock.computed &- before
      shared.change { shared in
        job.workers -= 1
        job.helperTime &+= computed
        shared.jobs.removeAll { $0 === job }
      }
    }
  }

  private static func startThread() -> Bool {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let status = unsafe pthread_create(
      &thread, &attributes,
      { _ in
        WorkerPool.shared.work()
        return nil
      }, nil)
    return status == 0
  }
}
