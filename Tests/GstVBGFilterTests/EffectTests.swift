import CGStreamer
import TestSupport
import Testing

@testable import GstVBGFilter

@Suite struct EffectTests {
  @Test func colorHidesTheRoomAndKeepsThePerson() throws {
    let filter = try TestFilter(["effect": "color", "background-color": "\(Room.gray)"])
    for _ in 0..<3 {
      let output = try filter.process()
      #expect(Room.visiblePart(of: output) == 0)
      #expect(Room.showsPerson(output))
    }
    #expect(filter.messages().isEmpty)
    #expect(try filter.statistic("frames-out") == 3)
  }
}
