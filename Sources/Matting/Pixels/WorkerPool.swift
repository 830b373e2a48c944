import Synchronization
import Threads

/// Work on a frame in bands, which may run concurrently and in any order.
package protocol BandedWork: AnyObject {
  /// Performs one band.
  func perform(band: Int)
}

/// Performs banded work on the calling thread and on threads of the pool.
///
/// Not thread-safe. It does not allocate memory during the work.
package final class BandedJob: @unchecked Sendable {
  // The class is Sendable for these reasons: The caller writes `work` and `count` only before the
  // pool gets the job and after the pool returned it. `openSlots` is only accessed with the pool's
  // lock held.
  fileprivate var work: (any BandedWork)?
  fileprivate var count = 0
  /// The number of threads of the pool that may still join.
  fileprivate var openSlots = 0
  /// The number of the pool's threads that work on the job, and their CPU time in nanoseconds.
  fileprivate let helpers = Monitor((count: 0, time: UInt64(0)))
  fileprivate let next = Atomic(0)

  package init() {}

  /// Performs all bands of `work` on `bands.threads` threads, and waits for the last one.
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
    let computed = WorkerPool.shared.withdraw(self)
    bands.helperTime?.add(computed)
    self.work = nil
  }

  /// Performs one band after another until all have been started.
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
/// Threads start when they are first needed, and sleep while there is nothing to do. If the system
/// preempts a thread, this only delays its current band.
private final class WorkerPool: Sendable {
  static let shared = WorkerPool()

  private struct SharedState: Sendable {
    /// Jobs that may have bands left and may get another thread, the oldest first.
    var jobs: [BandedJob] = []
    var threads = 0
  }

  private let shared: Monitor<SharedState>

  private init() {
    var shared = SharedState()
    shared.jobs.reserveCapacity(64)
    self.shared = Monitor(shared)
  }

  /// Offers a job to `workers` of the pool's threads, and starts missing threads.
  func offer(_ job: BandedJob, workers: Int) {
    job.helpers.withLock { $0.time = 0 }
    // Wake no threads that this job does not need.
    shared.change(waking: workers) { shared in
      // If the system refuses more threads, the caller performs the remaining bands.
      while shared.threads < workers, DedicatedThread("row-pool", { Self.shared.work() }) != nil {
        shared.threads += 1
      }
      job.openSlots = workers
      shared.jobs.append(job)
    }
  }

  /// Withdraws a job, waits for the pool's threads to leave it, and returns their CPU time.
  func withdraw(_ job: BandedJob) -> UInt64 {
    shared.withLock { $0.jobs.removeAll { $0 === job } }
    return job.helpers.wait { $0.count == 0 ? $0.time : nil }
  }

  private func work() {
    while true {
      let job = shared.wait { shared in
        guard let job = shared.jobs.first else { return nil as BandedJob? }
        job.helpers.withLock { $0.count += 1 }
        job.openSlots -= 1
        if job.openSlots == 0 { shared.jobs.removeFirst() }
        return job
      }
      let before = SystemClock.computed
      job.performBands()
      let computed = SystemClock.computed &- before
      shared.withLock { $0.jobs.removeAll { $0 === job } }
      job.helpers.change { helpers in
        helpers.count -= 1
        helpers.time &+= computed
      }
    }
  }
}
