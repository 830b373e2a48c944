import Glibc
import PixelTypes
import TestSupport
import Testing
import Threads

@testable import Matting
@testable import VirtualBackground

@Suite struct ThreadTests {
  /// Counts how often each band is processed.
  private final class Counter: BandedWork, @unchecked Sendable {
    // Each band has its own element and is processed by one thread, so no element is shared.
    let counts: Raster<Int32>
    init(bands: Int) { counts = Raster(width: bands, height: 1, filledWith: 0) }
    func perform(band: Int) { unsafe counts.base[band] += 1 }
  }

  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 7, 64])
  func eachBandIsProcessedOnce(threads: Int, bands: Int) {
    let job = BandedJob()
    let work = Counter(bands: bands)
    for round in 1...50 {
      job.perform(work, Bands(threads: threads, count: bands))
      for band in 0..<bands { #expect(unsafe work.counts.base[band] == Int32(round)) }
    }
  }

  /// Records which threads process its bands.
  private final class Roster: BandedWork {
    let threads = Monitor<Set<pthread_t>>([])
    func perform(band: Int) {
      threads.withLock { _ = $0.insert(pthread_self()) }
      // Gives other threads time to join.
      usleep(500)
    }
  }

  /// An earlier job makes the pool start more threads.
  @Test("uses no more threads than a job allows", arguments: [2, 3]) func threadLimit(threads: Int)
  {
    BandedJob().perform(Counter(bands: 16), Bands(threads: 8, count: 16))
    let job = BandedJob()
    for _ in 0..<20 {
      let work = Roster()
      job.perform(work, Bands(threads: threads, count: 24))
      #expect(work.threads.current.count <= threads)
    }
  }

  @Test("wakes no more threads than a job can use")
  func wakes() async {
    await #expect(processExitsWith: .success) {
      func tasks() -> Set<String> { Set(TemporaryFolder.entries(of: "/proc/self/task")) }
      let others = tasks()
      BandedJob().perform(Counter(bands: 16), Bands(threads: 8, count: 16))
      let pool = tasks().subtracting(others)
      try #require(pool.count == 7)
      func waits() -> Int {
        pool.reduce(0) {
          let status = "/proc/self/task/\($1)/status"
          return $0 + (TestFile.number("voluntary_ctxt_switches", in: status) ?? 0)
        }
      }
      let before = waits()
      for _ in 0..<200 {
        let work = Roster()
        BandedJob().perform(work, Bands(threads: 2, count: 2))
        // All threads go back to sleep.
        usleep(500)
      }
      // A helper waits for work, and sometimes for a lock.
      #expect(waits() - before < 3 * 200)
    }
  }

  /// The first job must not occupy more threads than it may use.
  @Test("leaves threads for the next job while one has its maximum")
  func fullJob() {
    BandedJob().perform(Counter(bands: 16), Bands(threads: 8, count: 16))
    let meeting = Meeting()
    let first = HelperThread { BandedJob().perform(meeting, Bands(threads: 2, count: 2)) }
    meeting.waitForAll()
    // Both threads of the first job are waiting.
    let second = Meeting()
    let other = HelperThread { BandedJob().perform(second, Bands(threads: 2, count: 2)) }
    second.waitForAll()
    second.end()
    meeting.end()
    first.join()
    other.join()
  }

  /// Waits in each band until both are being processed by two threads.
  private final class Meeting: BandedWork, Sendable {
    private let state = Monitor((come: 0, isOver: false))
    func perform(band: Int) {
      state.change { $0.come += 1 }
      state.wait { $0.isOver ? () : nil }
    }
    func waitForAll() { state.wait { $0.come == 2 ? () : nil } }
    func end() { state.change { $0.isOver = true } }
  }

  @Test func manyJobsAtOnce() async {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let job = BandedJob()
          let work = Counter(bands: 16)
          for _ in 0..<100 { job.perform(work, Bands(threads: 3, count: 16)) }
          return (0..<16).allSatisfy { unsafe work.counts.base[$0] == 100 }
        }
      }
      for await isComplete in group { #expect(isComplete) }
    }
  }

  @Test(arguments: [1, 2, 7, 1079, 1080]) func theBandsMakeUpAllRows(total: Int) {
    let bands = Bands(format: FrameFormat(width: 3840, height: 2160), threads: 3)
    #expect((0..<bands.count).flatMap { bands.rows(of: total, in: $0) } == Array(0..<total))
  }
}
