import CGStreamer
import TestSupport
import Testing

@testable import GstVideoFilterKit

/// The element that switches between filters.
@Suite(.serialized) struct SwitcherTests {
  @Test func theSwitcherListsItsFilters() throws {
    let element = try TestElement("kit-switcher")
    let filters = element.get("filters")
    #expect(filters.contains("kit-gray=(string)Grey"), "\(filters)")
    #expect(filters.contains("kit-mean=(string)Mean"), "\(filters)")
    #expect(!filters.contains("kit-wrong"))
  }

  @Test("switches filters before the start and while playing")
  func switchesFilters() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-brighter"])
    try element.start()
    #expect(try element.process(100)[0] == 110)
    element.set("filter", "kit-doubler")
    #expect(element.get("filter") == "kit-doubler" && element.get("current") == "kit-brighter")
    try element.process(untilFirstIs: 200)
    #expect(element.get("current") == "kit-doubler")
    // The filter is already set up.
    element.set("filter", "kit-brighter")
    #expect(try element.process(100)[0] == 110)
    element.set("filter", "")
    #expect(try element.process(100)[0] == 100)
  }

  @Test func severalFiltersRunInTheirOrder() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-brighter, kit-doubler"])
    try element.start()
    #expect(try element.process(50)[0] == 120)
    #expect(
      element.get("filter") == "kit-brighter\\,kit-doubler"
        || element.get("filter").contains("kit-doubler"))
    element.set("filter", "kit-doubler,kit-brighter,kit-gray")
    try element.process(50, untilFirstIs: 110)
    #expect(try element.process(50)[16] == 128)
  }

  @Test func propertiesAreReachedByTheChildsName() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-brighter"])
    element.set("kit-brighter::amount", "3")
    try element.start()
    #expect(try element.process(100)[0] == 103)
    element.set("kit-brighter::amount", "4")
    #expect(try element.process(100)[0] == 104)
    element.set("kit-brighter::active", "false")
    #expect(try element.process(100)[0] == 100)
  }

  @Test func anUnknownNameIsAnErrorAtTheStartAndAWarningLater() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-brigter"])
    #expect(
      unsafe gst_element_set_state(element.element, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
    let errors = element.messages(GST_MESSAGE_ERROR)
    #expect(errors.first?.contains("there is no filter") == true, "\(errors)")
    element.set("filter", "kit-brighter")
    try element.start()
    #expect(try element.process(100)[0] == 110)
    element.set("filter", "kit-doubler,kit-brigter")
    #expect(try element.process(100)[0] == 110)
    #expect(element.get("filter") == "kit-brighter")
    element.set("filter", "kit-doubler,kit-doubler")
    #expect(try element.process(100)[0] == 110)
    let warnings = element.messages(GST_MESSAGE_WARNING)
    #expect(warnings.count == 2)
    #expect(warnings.last?.contains("named twice") == true)
  }

  @Test("keeps the old filter if the new one cannot be set up")
  func keepsOldFilterIfSetUpFails() throws {
    let element = try TestElement("kit-switcher", ["filter": "kit-doubler"])
    element.set("kit-brighter::label", "refused")
    try element.start()
    #expect(try element.process(100)[0] == 200)
    element.set("filter", "kit-brighter")
    #expect(element.get("current") == "kit-doubler")
    let warning = try Patience.wait {
      try #require(try element.process(100)[0] == 200)
      return element.messages(GST_MESSAGE_WARNING).first
    }
    #expect(warning.contains("kit-brighter: no such label"), "\(warning)")
    #expect(element.get("filter") == "kit-doubler")
  }

  @Test func aThousandSwitchesDropNothingAndSetUpOnce() throws {
    let lives = Counted.lives.load(ordering: .relaxed)
    do {
      let element = try TestElement("kit-switcher")
      try element.start()
      let before = Counted.setUps.load(ordering: .relaxed)
      let names = ["kit-counted", "kit-gray", "", "kit-doubler,kit-counted", "kit-mean"]
      for round in 0..<1000 {
        element.set("filter", names[round % names.count])
        _ = try element.process(100)
      }
      // A busy machine may not have started the set-up yet.
      element.set("filter", "kit-counted")
      try Patience.wait {
        _ = try element.process(100)
        return element.get("current") == "kit-counted"
      }
      #expect(Counted.setUps.load(ordering: .relaxed) == before + 1)
      #expect(element.messages(GST_MESSAGE_WARNING).isEmpty)
    }
    #expect(Counted.lives.load(ordering: .relaxed) == lives)
  }
}
