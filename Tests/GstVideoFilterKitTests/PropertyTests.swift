import CGStreamer
import Testing

@testable import GstVideoFilterKit

/// Properties declared in Swift.
@Suite struct PropertyTests {
  @Test func propertiesHaveTheirDefaultsAndCanBeReadBack() throws {
    let element = try TestElement("kit-brighter")
    #expect(element.get("active") == "true")
    #expect(element.get("amount") == "10")
    #expect(element.get("share") == "1")
    #expect(element.get("upside-down") == "false")
    #expect(element.get("label") == "none")
    #expect(element.get("mode") == "wrap")
    for (name, value) in [
      ("amount", "-20"), ("share", "0.5"), ("upside-down", "true"), ("label", "some"),
      ("mode", "saturate"),
    ] {
      element.set(name, value)
      #expect(element.get(name) == value)
    }
  }

  @Test func propertiesTakeEffectWithTheNextFrame() throws {
    let element = try TestElement("kit-brighter", ["amount": "20"])
    try element.start()
    #expect(try element.process(100)[0] == 120)
    element.set("share", "0.5")
    #expect(try element.process(100)[0] == 110)
    element.set("upside-down", "true")
    #expect(try element.process(100)[0] == 90)
    element.set("upside-down", "false")
    element.set("share", "1")
    element.set("amount", "200")
    #expect(try element.process(100)[0] == 44)
    element.set("mode", "saturate")
    #expect(try element.process(100)[0] == 255)
  }

  @Test func wrongDeclarationsAreReportedAndTheOthersWork() throws {
    try #require(TestPlugin.isReady)
    let warnings = TestPlugin.warnings.withLock { $0 }
    func expect(_ words: String..., line: Int = #line) {
      #expect(
        warnings.contains { text in words.allSatisfy { text.contains($0) } },
        "\(words) is in none of \(warnings)")
    }
    expect("WrongID", "the id \"\" must be a letter")
    expect("WrongProperties", "\"strength\" has the default 5.0, which is not in 0.0...1.0")
    expect("WrongProperties", "\"strength\" is declared twice")
    expect("WrongProperties", "the property name \"a b\" must be a letter")
    expect("WrongProperties", "\"ends\" has limits in the wrong order: 10.0 is greater than 0.0")
    expect("WrongProperties", "\"endless\" has limits that are not finite")
    expect("WrongProperties", "\"large\" has limits that do not fit into 32 bits")
    expect("WrongProperties", "\"name\" is in use")
    expect("WrongProperties", "\"active\" is in use")
    expect("NoFormats", "it has no formats")
    expect("Neither", "neither a VideoFilter nor a VideoAnalyzer")
    expect("\"kit-gray\" is skipped: its id is already in use")
    #expect(unsafe gst_element_factory_find("kit-wrong") == nil)
    let brighter = unsafe gst_element_factory_find("kit-brighter")
    #expect(unsafe brighter != nil)
    if let brighter = unsafe brighter { unsafe gst_object_unref(UnsafeMutableRawPointer(brighter)) }
  }

  @Test(arguments: ["", "my-filters", "9", "my filters"])
  func aPluginWithAWrongNameIsNotRegistered(_ name: String) throws {
    try #require(TestPlugin.isReady)
    let plugin = Plugin(name: name, summary: "", license: .mit, filters: [Gray.self])
    #expect(!plugin.register())
    let warnings = TestPlugin.warnings.withLock { $0 }
    #expect(warnings.contains { $0.contains("the name \"\(name)\" must be a letter") })
  }

  @Test func anElementWithATakenNameIsOmitted() throws {
    try #require(TestPlugin.isReady)
    let other = Plugin(
      name: "kitother", summary: "Another", license: .mit, filters: [Gray.self, Doubler.self],
      switcher: "kit-switcher")
    // The first plugin already uses all of these names.
    #expect(!other.register())
    let warnings = TestPlugin.warnings.withLock { $0 }
    for name in ["kit-gray", "kit-doubler", "kit-switcher"] {
      #expect(
        warnings.contains {
          $0.contains("plugin kitother") && $0.contains("\"\(name)\"")
            && $0.contains("the plugin kittests has an element")
        })
    }
    let element = try TestElement("kit-gray")
    try element.start()
    _ = try element.process()
  }
}
