import CGStreamer
import Glibc
import Matting
import Testing

@testable import GstVBGFilter

/// Changes of the network during playback.
///
/// The new network loads on another thread, and the old one stays in use until then.
@Suite struct NetworkChangeTests {
  private func makeFilter(_ properties: [String: String] = [:]) throws -> TestFilter {
    try TestFilter(["effect": "color", "background-color": "\(Room.gray)"].with(properties))
  }

  @Test func theOldNetworkStaysUntilTheNewOneIsReady() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.models.change("slow") { $0.stuck = [.load] }
    filter.set("model", "slow")
    for _ in 0..<10 {
      let output = try filter.process()
      #expect(Room.showsOnlyPerson(output))
      #expect(try filter.statisticString("model") == "good")
    }
    filter.models.change("slow") { $0.stuck = [] }
    let outputs = try filter.process(until: { try filter.statisticString("model") == "slow" })
    #expect(outputs.allSatisfy(Room.showsOnlyPerson))
    #expect(filter.messages().isEmpty)
  }

  /// Freeing a network takes long, and happens while the machine is busy.
  @Test("frees the old network on another thread")
  func freesOldNetworkElsewhere() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.set("model", "other")
    try filter.process(until: { try filter.statisticString("model") == "other" })
    _ = try filter.process()
    #expect(filter.models.waitForFreeingThread() != pthread_self())
    #expect(filter.models.liveNetworks == 1)
  }

  @Test(arguments: [true, false])
  func aBrokenNetworkIsAWarningAndTheOldOneStays(_ failsToLoad: Bool) throws {
    let filter = try makeFilter()
    _ = try filter.process()
    let failure = SegmentationError(.modelUnreadable, "broken is no network")
    filter.models.change("broken") {
      if failsToLoad { $0.loadFailure = failure } else { $0.compileFailure = failure }
    }
    filter.set("model", "broken")
    var messages = try filter.processUntilMessages().messages
    for _ in 0..<10 {
      #expect(Room.showsOnlyPerson(try filter.process()))
    }
    messages += filter.messages()
    messages.expectOne(.warning, "broken is no network", code: GST_RESOURCE_ERROR_OPEN_READ)
    #expect(try filter.statisticString("model") == "good")
    #expect(filter.models.loaded.filter { $0.path == "broken" }.count == 1)
  }

  /// The old network is compiled again for frames of another size.
  @Test func theOldNetworkIsUsedForNewCapsAfterABrokenOne() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.models.change("broken") { $0.loadFailure = .init(.modelNotFound, "gone") }
    filter.set("model", "broken")
    try filter.process(until: { filter.models.loaded.contains { $0.path == "broken" } })
    try filter.process(until: { !filter.messages().isEmpty })
    try filter.renegotiate(width: 180, height: 320)
    #expect(Room.showsPerson(try filter.process()))
    #expect(filter.models.compiled == ["good 320x180", "good 180x320"])
    // A working network is used when it is requested.
    filter.set("model", "third")
    try filter.process(until: { try filter.statisticString("model") == "third" })
  }

  /// After several fast changes, the last value is used.
  @Test func theNewestRequestWins() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    for path in ["a", "b", "c", "d"] { filter.models.change(path) { $0.stuck = [.load] } }
    for path in ["a", "b", "c", "d"] {
      filter.set("model", path)
      _ = try filter.process()
    }
    for path in ["a", "b", "c", "d"] { filter.models.change(path) { $0.stuck = [] } }
    try filter.process(until: { try filter.statisticString("model") == "d" })
    let loaded = filter.models.loaded.map(\.path)
    #expect(loaded.filter { $0 == "d" }.count == 1)
    #expect(loaded.count <= 3)
  }

  @Test func revertingARequestKeepsTheNetwork() throws {
    let filter = try makeFilter()
    _ = try filter.process()
    filter.models.change("slow") { $0.stuck = [.load] }
    filter.set("model", "slow")
    _ = try filter.process()
    filter.set("model", "good")
    _ = try filter.process()
    filter.models.change("slow") { $0.stuck = [] }
    // Networks load one after the other, so the slow one has loaded before the next one.
    filter.set("model", "third")
    var used: Set<String> = []
    try filter.process(until: {
      let model = try filter.statisticString("model")
      used.insert(model)
      return model == "third"
    })
    #expect(used.isSubset(of: ["good", "third"]))
    #expect(filter.models.compiled.filter { $0 == "good 320x180" }.count == 1)
  }
}
