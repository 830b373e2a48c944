import Glibc
import Synchronization
import Testing
import Threads

@testable import OpenVINOInference

struct SharedObjectsTests {
  private final class Thing: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }

  private let things = SharedObjects<String, Thing>()

  private func thing(_ name: String, usable: (Thing) -> Bool = { _ in true }) throws -> Thing {
    try things.object(for: name, usable: usable) { Thing(name) }
  }

  /// The thread that makes "a" waits for "b", while another thread waits for "a".
  @Test("makes an object without blocking the making of others")
  func makesObjectsConcurrently() throws {
    let made = Atomic<Int>(0)
    let otherIsMade = Monitor(false)
    let names = Monitor<[String]>([])
    inThreads(3) { index in
      if index == 2 {
        // Wait until "a" is being made.
        while made.load(ordering: .acquiring) == 0 { sched_yield() }
        if let other = try? thing("b") { names.withLock { $0.append(other.name) } }
        otherIsMade.change { $0 = true }
        return
      }
      let object = try? things.object(for: "a") {
        made.add(1, ordering: .acquiringAndReleasing)
        otherIsMade.wait { $0 ? () : nil }
        return Thing("a")
      }
      names.withLock { $0.append(object?.name ?? "none") }
      // Keep the object alive until all threads have finished.
      names.change { _ in }
      names.wait { $0.count == 3 ? () : nil }
      withExtendedLifetime(object) {}
    }
    #expect(names.current.sorted() == ["a", "a", "b"])
    #expect(made.load(ordering: .relaxed) == 1)
  }
}
