import Glibc
import Testing

@testable import Threads

/// Requests to a busy loader, and the end of a loader.
@Suite(.timeLimit(.minutes(15))) struct LoaderTests {
  private struct Refused: Error {}

  /// A gate that blocks the loader's thread until the test opens it.
  private final class Gate: Sendable {
    private let state = Monitor((arrived: 0, isOpen: false))

    /// Waits until the gate is open.
    func pass() {
      state.change { $0.arrived += 1 }
      state.wait { $0.isOpen ? () : nil }
    }

    func open() { state.change { $0.isOpen = true } }

    func waitForArrival() { state.wait { $0.arrived > 0 ? () : nil } }
  }

  /// Calls `onDrop` when it is released.
  private final class Dropped: Sendable {
    let onDrop: @Sendable () -> Void

    init(_ onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

    deinit { onDrop() }
  }

  @Test func theNewestRequestIsAnswered() throws {
    let gate = Gate()
    let made = Monitor<[Int]>([])
    let loader = Loader<Int, Int, any Error>(on: LoadingThread("test")) { number, _ in
      made.change { $0.append(number) }
      gate.pass()
      return 10 * number
    }
    loader.request(1)
    gate.waitForArrival()
    loader.request(2)
    loader.request(3)
    #expect(loader.poll() == nil)
    gate.open()
    #expect(try loader.wait()?.get() == 30)
    #expect(made.current == [1, 3])
    #expect(loader.poll() == nil)
  }

  @Test("reuses the product in progress if a withdrawn request is repeated")
  func reusesWorkInProgress() throws {
    let gate = Gate()
    let made = Monitor(0)
    let loader = Loader<Int, Int, any Error>(on: LoadingThread("test")) { number, _ in
      made.change { $0 += 1 }
      gate.pass()
      return number
    }
    loader.request(1)
    gate.waitForArrival()
    loader.withdraw()
    loader.request(1)
    gate.open()
    #expect(try loader.wait()?.get() == 1)
    #expect(made.current == 1)
  }

  /// Otherwise the new request would fail because the old one was cancelled.
  @Test("makes a product again if it failed because its request was withdrawn")
  func retriesAfterCancellation() throws {
    let gate = Gate()
    let isSecond = Monitor(false)
    let loader = Loader<Int, Int, any Error>(on: LoadingThread("test")) { number, cancellation in
      gate.pass()
      if isSecond.withLock({ $0 }) { return number }
      isSecond.change { $0 = true }
      if cancellation.isCancelled { throw Refused() }
      return 0
    }
    loader.request(1)
    gate.waitForArrival()
    loader.withdraw()
    loader.request(1)
    gate.open()
    #expect(try loader.wait()?.get() == 1)
  }

  @Test func endCancelsTheRunningWorkAndWaitsForIt() {
    let gate = Gate()
    let end = Monitor(false)
    let thread = LoadingThread("test")
    let loader = Loader<Int, Int, any Error>(on: thread) { _, cancellation in
      cancellation.react { gate.open() }
      gate.pass()
      end.change { $0 = true }
      throw Refused()
    }
    loader.request(1)
    gate.waitForArrival()
    loader.end()
    thread.end()
    #expect(end.current)
    #expect(loader.poll() == nil)
  }

  @Test func aFlushAndAStopEndTheWait() {
    let gate = Gate()
    let wait = StreamWait()
    let loader = Loader<Int, Int, any Error>(on: LoadingThread("test"), waking: wait) { number, _ in
      gate.pass()
      return number
    }
    loader.request(1)
    wait.setFlushing(true)
    #expect(loader.wait() == nil)
    wait.stop()
    // Ending a flush does not undo a stop.
    wait.setFlushing(false)
    #expect(loader.wait() == nil)
    gate.open()
  }

  /// Releasing the product under the lock would deadlock: its deinit polls the loader.
  @Test func anUntakenAnswerIsReleasedOnTheThreadWithoutTheLock() {
    let gate = Gate()
    let isMade = Monitor(false)
    let isFree = Monitor<Bool?>(nil)
    let caller = UInt(pthread_self())
    nonisolated(unsafe) weak var loader: Loader<Int, Dropped, any Error>?
    let made = Loader<Int, Dropped, any Error>(on: LoadingThread("test")) { _, _ in
      gate.pass()
      return Dropped {
        isFree.change { $0 = unsafe loader?.poll() == nil && UInt(pthread_self()) != caller }
      }
    }
    unsafe loader = made
    made.request(1)
    gate.waitForArrival()
    made.runWhenIdle { _ in isMade.change { $0 = true } }
    gate.open()
    isMade.wait { $0 ? () : nil }
    made.withdraw()
    #expect(isFree.wait { $0 })
  }

  @Test("releases products that are not needed on its own thread")
  func releasesOnItsThread() {
    let freedBy = Monitor<[UInt]>([])
    let loader = Loader<Int, Dropped, any Error>(on: LoadingThread("test")) { _, _ in
      Dropped { freedBy.change { $0.append(UInt(pthread_self())) } }
    }
    loader.request(1)
    var product = try? loader.wait()?.get()
    loader.release(&product)
    #expect(product == nil)
    #expect(freedBy.wait { $0.first } != UInt(pthread_self()))
  }

  /// Two loaders share a thread, which handles requests in order of arrival.
  @Test func loadersOfAThreadRunInOrder() throws {
    let gate = Gate()
    let order = Monitor<[String]>([])
    let thread = LoadingThread("test")
    func loader(_ name: String) -> Loader<Int, Int, any Error> {
      Loader(on: thread) { number, _ in
        order.change { $0.append("\(name)\(number)") }
        gate.pass()
        return number
      }
    }
    let (first, second) = (loader("a"), loader("b"))
    first.request(1)
    gate.waitForArrival()
    second.request(1)
    first.request(2)
    gate.open()
    #expect(try second.wait()?.get() == 1)
    #expect(try first.wait()?.get() == 2)
    #expect(order.current == ["a1", "a2", "b1"])
  }

  @Test("drops idle work that has not begun when a request arrives")
  func dropsIdleWorkForRequest() throws {
    let gate = Gate()
    let idle = Monitor(0)
    let loader = Loader<Int, Int, any Error>(on: LoadingThread("test")) { number, _ in
      gate.pass()
      return number
    }
    loader.request(1)
    gate.waitForArrival()
    loader.runWhenIdle { _ in idle.change { $0 += 1 } }
    loader.request(2)
    gate.open()
    #expect(try loader.wait()?.get() == 2)
    loader.runWhenIdle { _ in idle.change { $0 += 1 } }
    idle.wait { $0 > 0 ? () : nil }
    #expect(idle.current == 1)
  }
}
