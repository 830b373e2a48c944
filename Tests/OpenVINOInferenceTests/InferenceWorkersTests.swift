import Glibc
import Matting
import Testing
import Threads

@testable import OpenVINOInference

/// The CPU time of OpenVINO's threads is charged to the stream that uses them.
struct InferenceWorkersTests {
  /// Simulated threads with their own CPU clocks.
  private final class Threads: Sendable {
    let computed = Monitor<[pid_t: UInt64]>([1: 500, 2: 70])

    func work(_ thread: pid_t, _ nanoseconds: UInt64) {
      computed.withLock { $0[thread, default: 0] += nanoseconds }
    }
  }

  private let threads = Threads()
  private let workers: InferenceWorkers

  init() {
    workers = InferenceWorkers { [threads] in threads.computed.current[$0] }
    workers.add([1, 2, 3])
  }

  @Test func simultaneousInferencesShareTheTime() {
    let (long, short) = (InferenceWorkers.Account(), InferenceWorkers.Account())
    workers.begin(long)
    threads.work(1, 100)
    workers.begin(short)
    threads.work(1, 20)
    threads.work(2, 20)
    workers.end(short)
    threads.work(1, 300)
    workers.end(long)
    #expect(workers.take(short) == 20)
    #expect(workers.take(long) == 420)
  }

  @Test func threadIDsMayBeReused() {
    let account = InferenceWorkers.Account()
    workers.begin(account)
    threads.work(2, 3)
    threads.computed.withLock { $0[1] = nil }
    workers.end(account)
    #expect(workers.take(account) == 3)
    threads.computed.withLock { $0[2] = 10 }
    workers.begin(account)
    threads.work(2, 6)
    workers.end(account)
    #expect(workers.take(account) == 6)
  }

  /// Counts the CPU time of all inferences.
  ///
  /// The process does nothing else, so its CPU time must match. OpenVINO may run inferences on any
  /// thread, and several segmenters may share a network.
  @Test(.enabled(if: realModel("rvm_mobilenetv3_fp32.onnx") != nil, "the models are not set up"))
  func allCPUTimeIsCounted() async {
    await #expect(processExitsWith: .success) {
      for (threads, users) in [(1, 1), (1, 2), (2, 1), (2, 2), (0, 1), (0, 2)] {
        let share = try countedShare(threads: threads, users: users)
        precondition(
          0.8...1.05 ~= share, "\(share) is counted of \(users) users with threads=\(threads)")
      }
    }
  }
}

/// Returns the share of the process's CPU time that is counted during inferences.
///
/// Each user of a network has a thread. The count adds the users' own clocks and the time of
/// OpenVINO's threads.
private func countedShare(threads: Int, users: Int) throws -> Double {
  let segmenters = Monitor<[Lent]>([])
  // As in the element, the main thread does not load networks: it must keep its name.
  inThreads(1) { _ in
    let model = try? OpenVINOModelLoader(cacheFolder: nil).load(
      request(realModel("rvm_mobilenetv3_fp32.onnx") ?? "", threads: threads))
    for _ in 0..<users {
      guard let made = try? model?.makeSegmenter(frameWidth: 1280, frameHeight: 720) else { return }
      segmenters.withLock { $0.append(Lent(segmenter: made)) }
    }
  }
  let lent = segmenters.current
  precondition(lent.count == users, "a network cannot be made ready")
  let before = processTime()
  let counted = Monitor<UInt64>(0)
  inThreads(users) { user in
    let segmenter = lent[user].segmenter
    let begin = SystemClock.computed
    for _ in 0..<40 { _ = try? segmenter.infer() }
    let own = SystemClock.computed - begin
    counted.withLock { $0 += own + segmenter.consumeHelperTime() }
  }
  return Double(counted.current) / Double(processTime() - before)
}

/// Safety: only one thread at a time uses each segmenter.
private struct Lent: @unchecked Sendable {
  let segmenter: any Segmenter
}

/// The CPU time of the process, in nanoseconds.
private func processTime() -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
