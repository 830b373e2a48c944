import CGStreamer
import Testing

@testable import GstVideoFilterKit

/// Elements that GStreamer creates from the declarations of filter types.
@Suite(.serialized) struct DeclarationTests {
  @Test func aNameMayHaveAnUnderscore() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-underscored", ["more_light": "5"])
    element.set("more-light", "6")
    #expect(element.get("more_light") == "6")
    element.set("at_end", "saturate")
    #expect(element.get("at-end") == "saturate")
    try element.start()
    #expect(try element.process(1)[0] == 7)
    OddPlugin.complaints.withLock { complaints in
      #expect(!complaints.contains { $0.contains("more") || $0.contains("end") }, "\(complaints)")
    }
  }

  @Test("treats failed frames as the type declares")
  func usesDeclaredFailureMode() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-black")
    try element.start()
    #expect(try element.process(200)[0] == 16)
  }

  @Test("leaves out a type without a name or summary, and warns")
  func skipsTypeWithoutNameOrSummary() throws {
    try #require(OddPlugin.isReady)
    let warnings = TestPlugin.warnings.withLock { $0 }
    for (type, words) in [("NoName", "it has no name"), ("NoSummary", "it has no summary")] {
      #expect(warnings.contains { $0.contains(type) && $0.contains(words) }, "\(warnings)")
    }
    #expect(unsafe gst_element_factory_find("kit-no-name") == nil)
    #expect(unsafe gst_element_factory_find("kit-no-summary") == nil)
  }

  @Test func elementsAreNamedByTheirIds() throws {
    try #require(OddPlugin.isReady)
    for (factory, expected) in [("kit-fickle", "kit-fickle"), ("kit-gray", "kit-gray")] {
      let element = try TestElement(factory)
      let name = element.get("name")
      // GStreamer appends a number.
      #expect(name.hasPrefix(expected) && name.dropFirst(expected.count).allSatisfy(\.isNumber))
    }
    // A switcher has a child even for a filter whose name another plugin already uses.
    let element = try TestElement("kit-odd-switcher")
    #expect(element.get("filters").contains("kit-nothing=(string)Other"))
    #expect(unsafe gst_child_proxy_get_children_count(OpaquePointer(element.element)) == 6)
  }

  @Test("keeps the first declaration of a type that declares other properties later")
  func keepsFirstDeclaration() throws {
    try #require(OddPlugin.isReady)
    let element = try TestElement("kit-fickle", ["number-0": "3"])
    try element.start()
    #expect(try element.process()[0] == 3)
  }

  @Test func aPluginThatIsRegisteredAgainKeepsItsElements() throws {
    try #require(OddPlugin.isReady)
    #expect(OddPlugin.plugin.register())
    for name in ["kit-underscored", "kit-odd-switcher"] {
      let element = try TestElement(name)
      try element.start()
      _ = try element.process()
    }
  }

  @Test(arguments: [
    ("kit-gray", "Filter/Effect/Video"), ("kit-mean", "Filter/Analyzer/Video"),
    ("kit-switcher", "Filter/Effect/Video"),
  ])
  func theClassShowsWhetherFramesAreChanged(_ name: String, _ expected: String) throws {
    try #require(TestPlugin.isReady)
    let factory = unsafe try #require(gst_element_factory_find(name))
    defer { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
    let text = unsafe try #require(gst_element_factory_get_metadata(factory, "klass"))
    #expect(unsafe String(cString: text) == expected)
  }
}
