#if canImport(Glibc)
  import Glibc
#endif
import Synchronization
import Testing

@testable import SwiftFilters

/// Changes of settings between frames.
@Suite(.timeLimit(.minutes(1))) struct SettingLoaderTests {
  private struct Refused: Error {}

  /// Polls until there is a result, like frames do.
  private func ask<Product>(
    _ loader: inout SettingLoader<String, Product>, _ wanted: String
  ) throws -> Product {
    while true {
      if let product = try loader.next(wanted) { return product }
      usleep(1000)
    }
  }

  @Test func aFailureIsReportedOnceAndTriedAgainAfterAChange() throws {
    let tries = Mutex(0)
    var loader = SettingLoader<String, String>("a") { setting, _ in
      tries.withLock { $0 += 1 }
      if setting == "bad" { throw Refused() }
      return setting + setting
    }
    #expect(try loader.load() == "aa" && loader.current == "a")
    #expect(try loader.next("a") == nil)
    #expect(throws: Refused.self) { try ask(&loader, "bad") }
    for _ in 0..<5 { #expect(try loader.next("bad") == nil) }
    #expect(loader.current == "a" && tries.withLock { $0 } == 2)
    // The current setting need not be loaded again.
    #expect(try loader.next("a") == nil)
    #expect(throws: Refused.self) { try ask(&loader, "bad") }
    #expect(try ask(&loader, "b") == "bb" && loader.current == "b")
    #expect(tries.withLock { $0 } == 4)
  }

  /// Unwanted products and failures are discarded.
  @Test func theNewestChangeWins() throws {
    var loader = SettingLoader<String, String>("a") { setting, cancellation in
      guard setting == "slow" else { return setting }
      while !cancellation.isCancelled { usleep(1000) }
      throw Refused()
    }
    #expect(try loader.next("slow") == nil)
    #expect(try ask(&loader, "b") == "b")
    #expect(try loader.next("slow") == nil)
    loader.stop()
    #expect(loader.current == "b")
  }
}
