import CGStreamer
import GstElementSupport
import Testing

/// The property table, which specifies, sets and reads each property.
@Suite struct PropertyTests {
  static let values = [
    ("level", "0.5", "0.25"), ("steps", "3", "8"), ("is-on", "true", "false"),
    ("title", "none", "lamp"), ("path", "NULL", "lamp.txt"), ("words", #"red\,green"#, "blue"),
    ("curve", "steep", "linear"),
  ]

  @Test(arguments: values)
  func aPropertyHasItsDefaultAndThenTheSetValue(
    _ name: String, _ initial: String, _ other: String
  ) throws {
    let element = try TestElement(Dimmer.plain)
    #expect(try element.get(name).filter { !"\\\"".contains($0) } == initial.filter { $0 != "\\" })
    element.set(name, other)
    #expect(try element.get(name) == other)
  }

  @Test func emptyTextsSelectTheDefaults() throws {
    let element = try TestElement(Dimmer.plain)
    let dimmer = try #require(element.dimmer)
    for name in ["title", "path", "words"] {
      element.set(name, "other")
      #expect(dimmer.settings != DimmerSettings(), "\(name)")
      element.set(name, "")
      #expect(dimmer.settings == DimmerSettings(), "\(name)")
    }
  }

  @Test func theSpecificationMatchesTheTable() throws {
    let element = try TestElement(Dimmer.plain)
    let level = unsafe try element.specification("level")
    unsafe #expect(String(cString: g_param_spec_get_nick(level)) == "Level")
    unsafe #expect(String(cString: g_param_spec_get_blurb(level)) == "How bright")
    let steps = unsafe try element.specification("steps")
    unsafe #expect(String(cString: g_param_spec_get_nick(steps)) == "Number of steps")
    let limits = unsafe UnsafeMutablePointer<GParamSpecUInt>(OpaquePointer(steps))
    unsafe #expect((limits.pointee.minimum, limits.pointee.maximum) == (1, 8))
    let isOn = unsafe try element.specification("is-on")
    unsafe #expect(String(cString: g_param_spec_get_nick(isOn)) == "Is on")
  }

  @Test func flagsShowWhenAPropertyCanBeSet() throws {
    let element = try TestElement(Dimmer.plain)
    func has(_ flag: GParamFlags, _ name: String) throws -> Bool {
      let flags = unsafe try element.specification(name).pointee.flags
      return flags.rawValue & flag.rawValue != 0
    }
    for name in Self.values.map(\.0) {
      #expect(try has(CGST_PARAM_MUTABLE_PLAYING, name) == (name != "steps"))
      #expect(try has(CGST_PARAM_MUTABLE_READY, name) == (name == "steps"))
      #expect(try has(CGST_PARAM_CONTROLLABLE, name) == (name == "level"))
      #expect(try has(CGST_PARAM_WRITABLE, name))
    }
    #expect(try !has(CGST_PARAM_WRITABLE, "report"))
  }

  /// GObject does not check some values that a binding builds by hand.
  @Test("clamps numbers that GObject did not check, and ignores NaN")
  func clampsUncheckedNumbers() {
    var settings = DimmerSettings()
    func set(_ id: UInt32, _ value: GValue) {
      var value = value
      unsafe DimmerSettings.table.set(id, to: &value) { $0(&settings) }
    }
    var number = GValue()
    _ = unsafe g_value_init(&number, cgst_type_double())
    unsafe g_value_set_double(&number, .nan)
    set(1, number)
    #expect(settings == DimmerSettings())
    unsafe g_value_set_double(&number, 1e300)
    set(1, number)
    #expect(settings.level == 1)
    set(99, number)
    set(0, number)
    var count = GValue()
    _ = unsafe g_value_init(&count, 7 << 2)  // G_TYPE_UINT
    unsafe g_value_set_uint(&count, 4_000_000_000)
    set(2, count)
    #expect(settings.steps == 8)
  }

  /// A binding may bypass GObject's check: it can call the class's own function.
  @Test("rejects NaN and keeps the old number")
  func rejectsNaN() {
    var value = GValue()
    _ = unsafe g_value_init(&value, g_type_from_name("gdouble"))
    unsafe g_value_set_double(&value, .nan)
    var number = PropertyValue.number(0.25)
    let isTaken = unsafe number.take(&value)
    #expect(!isTaken)
    #expect(number == .number(0.25))
  }

  @Test func aChoiceDescribesItsValues() throws {
    _ = try TestElement(Dimmer.plain)
    let name = DimmerSettings.Curve.typeName
    let type = unsafe try #require(g_type_class_ref(g_type_from_name(name)))
    defer { unsafe g_type_class_unref(type) }
    let values = unsafe UnsafeMutablePointer<GEnumClass>(OpaquePointer(type))
    let steep = unsafe try #require(g_enum_get_value_by_nick(values, "steep"))
    unsafe #expect(String(cString: steep.pointee.value_name) == "Twice as fast")
    unsafe #expect(steep.pointee.value == 1)
  }

  @Test func aStructureIsBuiltOnEachRead() throws {
    let element = try TestElement(Dimmer.inPlace)
    element.set("title", "lamp")
    _ = try element.push()
    var value = GValue()
    unsafe g_object_get_property(element.object, "report", &value)
    defer { unsafe g_value_unset(&value) }
    let report = unsafe try #require(gst_value_get_structure(&value))
    var frames: guint64 = 0
    unsafe #expect(gst_structure_get_uint64(report, "frames", &frames) != 0)
    #expect(frames == 1)
    let title = unsafe try #require(gst_structure_get_string(report, "title"))
    unsafe #expect(String(cString: title) == "lamp")
  }
}
