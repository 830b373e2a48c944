import Testing

@testable import Threads

@Suite(.timeLimit(.minutes(15))) struct SideThreadTests {
  private final class Work: SideWork {
    let state = Monitor((mayEnd: false, isDone: false))

    init(mayEnd: Bool) { state.change { $0.mayEnd = mayEnd } }

    func perform() {
      state.wait { $0.mayEnd ? () : nil }
      state.change { $0.isDone = true }
    }
  }

  @Test("works while its user goes on")
  func works() {
    let thread = SideThread("side")
    for _ in 0..<3 {
      let work = Work(mayEnd: false)
      thread.begin(work)
      #expect(!thread.isIdle)
      work.state.change { $0.mayEnd = true }
      thread.waitUntilIdle()
      #expect(thread.isIdle && work.state.current.isDone)
    }
  }

  @Test("ends after the work that has begun")
  func ends() {
    for _ in 0..<20 {
      let work = Work(mayEnd: true)
      do {
        let thread = SideThread("side")
        thread.begin(work)
      }
      #expect(work.state.current.isDone)
    }
  }
}
