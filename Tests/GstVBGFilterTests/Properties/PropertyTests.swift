import CGStreamer
import Testing

@testable import GstElementSupport
@testable import GstVBGFilter

/// The element's properties, as GObject reports them.
@Suite struct PropertyTests {
  /// The table in docs/properties.md, which `check` compares with the element, has the defaults.
  @Test("each property returns the value that was set")
  func setValuesAreReturned() throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    var count = 0
    for property in Settings.table.specifications where property.name != "skip-still" {
      let name = property.name
      guard let other = unsafe try other(than: value(of: name, element), for: property.kind)
      else { continue }
      unsafe gst_util_set_object_arg(Self.object(element), name, other)
      let found = unsafe try value(of: name, element)
      #expect(found == other || Double(found) == Double(other), "\(name)")
      count += 1
    }
    #expect(count == 31)
  }

  /// Returns a valid value other than the default, or nil for a structure.
  private func other(
    than standard: String, for kind: PropertySpecification.Kind
  ) -> String? {
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
    let specification = unsafe try #require(specifications(of: filter.element)["skip-still"])
    let flags = unsafe specification.pointee.flags.rawValue
    #expect(flags & CGST_PARAM_DEPRECATED.rawValue != 0)
    #expect(unsafe try value(of: "skip-still", filter.element) == "false")
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

  private func specifications(
    of element: UnsafeMutablePointer<GstElement>
  ) -> [String: UnsafeMutablePointer<GParamSpec>] {
    var count: guint = 0
    let type = unsafe UnsafeMutablePointer<GObjectClass>(
      OpaquePointer(element.pointee.object.object.g_type_instance.g_class))
    guard let list = unsafe g_object_class_list_properties(type, &count) else { return unsafe [:] }
    defer { unsafe g_free(list) }
    var specifications: [String: UnsafeMutablePointer<GParamSpec>] = unsafe [:]
    for index in 0..<Int(count) {
      if let specification = unsafe list[index] {
        unsafe specifications[String(cString: g_param_spec_get_name(specification))] = specification
      }
    }
    return unsafe specifications
  }

  /// Returns the value as a command line would write it.
  private func value(
    of name: String, _ element: UnsafeMutablePointer<GstElement>
  ) throws -> String {
    let specification = unsafe try #require(specifications(of: element)[name])
    var value = GValue()
    _ = unsafe g_value_init(&value, specification.pointee.value_type)
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(Self.object(element), name, &value)
    if unsafe g_type_check_value_holds(&value, 16 << 2) != 0,  // G_TYPE_STRING
      let string = unsafe g_value_get_string(&value)
    {
      return unsafe String(cString: string)
    }
    if unsafe g_type_check_value_holds(&value, 12 << 2) != 0 {  // G_TYPE_ENUM
      let type = unsafe UnsafeMutablePointer<GEnumClass>(
        OpaquePointer(try #require(g_type_class_ref(value.g_type))))
      defer { unsafe g_type_class_unref(type) }
      let entry = unsafe try #require(g_enum_get_value(type, g_value_get_enum(&value)))
      return unsafe String(cString: entry.pointee.value_nick)
    }
    let text = unsafe try #require(gst_value_serialize(&value) ?? g_strdup("NULL"))
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }
}
