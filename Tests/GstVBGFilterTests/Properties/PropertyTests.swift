import CGStreamer
import Testing

@testable import GstElementSupport
@testable import GstVBGFilter

/// The element's properties, as GObject reports them.
@Suite struct PropertyTests {
  /// The table in docs/properties.md, which `check` compares with the element, has the defaults.
  @Test("each property returns the value that was set")
  func setValuesAreReturned() throws {
    let filter = try TestFilter()
    var count = 0
    for property in Settings.table.specifications where property.name != "skip-still" {
      let name = property.name
      guard let other = other(than: filter.value(of: name) ?? "", for: property.kind)
      else { continue }
      filter.set(name, other)
      let found = try #require(filter.value(of: name))
      #expect(found == other || Double(found) == Double(other), "\(name)")
      count += 1
    }
    #expect(count == 31)
  }

  /// Returns a valid value other than the default, or nil for a structure.
  private func other(than standard: String, for kind: PropertySpecification.Kind) -> String? {
    switch kind {
    case .number(let low, let high): "\(standard == "\(Int(high))" ? low : high)"
    case .integer(let low, let high): "\(standard == "\(high)" ? low : high)"
    case .unsigned(let range): "\(range.upperBound)"
    case .flag: standard == "true" ? "false" : "true"
    case .text: "other"
    case .choice(let enumeration): enumeration.values.map(\.nick).last { $0 != standard }
    case .structure: nil
    }
  }

  @Test("keeps skip-still as a deprecated property without effect")
  func deprecatedProperty() throws {
    let filter = try TestFilter()
    let before = filter.object.settings.current
    filter.set("skip-still", "true")
    #expect(filter.object.settings.current == before)
    let type = unsafe UnsafeMutablePointer<GObjectClass>(
      OpaquePointer(filter.element.pointee.object.object.g_type_instance.g_class))
    let specification = unsafe try #require(g_object_class_find_property(type, "skip-still"))
    #expect(unsafe specification.pointee.flags.rawValue & CGST_PARAM_DEPRECATED.rawValue != 0)
    #expect(filter.value(of: "skip-still") == "false")
  }

  static let outOfRange = [
    ("blur-radius", -1.0), ("blur-radius", 100.1), ("target-fps", -0.5), ("target-fps", 1e9),
    ("matte-grow", -51.0), ("matte-grow", 51.0), ("matte-feather", -51.0),
    ("matte-feather", 51.0), ("light-wrap", -0.1), ("light-wrap", 1.1), ("low-light", -0.1),
    ("low-light", 1.1), ("match-light", -0.1), ("match-light", 1.1), ("smoothing", 1.01),
    ("smoothing", -0.01), ("cpu-budget", -0.1), ("cpu-budget", 257),
    ("blur-radius", Double.nan), ("smoothing", Double.infinity),
  ]

  /// Such values produce a critical message from GLib 2.80 on, so the test needs its own process.
  @Test func numbersOutOfRangeAreRefused() async {
    await #expect(processExitsWith: .success) {
      let filter = try TestFilter()
      GStreamer.forgiveCriticals()
      let before = filter.object.settings.current
      for (name, number) in PropertyTests.outOfRange {
        var value = PropertyTests.double(number)
        unsafe g_object_set_property(PropertyTests.object(filter.element), name, &value)
        #expect(filter.object.settings.current == before, "\(name)=\(number)")
      }
    }
  }

  @Test func anUnknownEnumValueIsRefused() async {
    await #expect(processExitsWith: .success) {
      let filter = try TestFilter(["effect": "matte"])
      GStreamer.forgiveCriticals()
      var value = GValue()
      _ = unsafe g_value_init(&value, 6 << 2)  // G_TYPE_INT, which GObject turns into the enum
      unsafe g_value_set_int(&value, 77)
      unsafe g_object_set_property(PropertyTests.object(filter.element), "effect", &value)
      #expect(filter.object.settings.current.effect == .matte)
    }
  }

  @Test func anEmptyStringSelectsTheDefault() throws {
    let filter = try TestFilter(["background-path": "x.png", "model": "y.onnx"])
    filter.set("background-path", "")
    filter.set("model", "")
    filter.set("device", "")
    #expect(filter.object.settings.current.backgroundPath == nil)
    #expect(filter.object.settings.current.model == nil)
    #expect(filter.object.settings.current.device == "CPU")
  }

  private static func double(_ number: Double) -> GValue {
    var value = GValue()
    _ = unsafe g_value_init(&value, 15 << 2)  // G_TYPE_DOUBLE
    unsafe g_value_set_double(&value, number)
    return value
  }

  private static func object(
    _ element: UnsafeMutablePointer<GstElement>
  ) -> UnsafeMutablePointer<GObject> {
    unsafe UnsafeMutablePointer(OpaquePointer(element))
  }
}
