import CGStreamer
import GstElementSupport
import Testing

@testable import GstVBGFilter

/// The element's properties, as GObject reports them.
@Suite struct PropertyTests {
  /// A property of the contract: its name, default and whether it can be set while playing.
  struct Property: Sendable {
    let name: String
    let standard: String
    /// A valid value other than the default.
    let other: String
    var isMutableWhilePlaying = true
  }

  static let properties = [
    Property(name: "effect", standard: "auto", other: "matte"),
    Property(name: "background-path", standard: "NULL", other: "/some/room.png"),
    Property(name: "background-color", standard: "4278255360", other: "4286611584"),
    Property(name: "blur-radius", standard: "10", other: "37.5"),
    Property(name: "blur-shape", standard: "gaussian", other: "lens"),
    Property(name: "framing", standard: "fixed", other: "follow"),
    Property(name: "max-zoom", standard: "2", other: "1.5"),
    Property(name: "target-fps", standard: "0", other: "15"),
    Property(name: "pacing", standard: "reuse-matte", other: "drop-frame"),
    Property(name: "inference", standard: "when-needed", other: "every-frame"),
    Property(name: "active", standard: "true", other: "false"),
    Property(name: "quality", standard: "balanced", other: "accurate"),
    Property(name: "model", standard: "NULL", other: "/some/net.onnx"),
    Property(name: "subjects", standard: "person", other: "dog, cat"),
    Property(name: "fit", standard: "cover", other: "contain"),
    Property(name: "input-orientation", standard: "auto", other: "90r"),
    Property(name: "keep", standard: "everyone", other: "nearest"),
    Property(name: "matte-grow", standard: "0", other: "-3.5"),
    Property(name: "matte-feather", standard: "0", other: "-2.5"),
    Property(name: "smoothing", standard: "0.5", other: "1"),
    Property(name: "despill", standard: "true", other: "false"),
    Property(name: "light-wrap", standard: "0", other: "0.25"),
    Property(name: "match-light", standard: "0", other: "0.5"),
    Property(name: "low-light", standard: "0", other: "0.25"),
    Property(name: "on-failure", standard: "blur", other: "hold"),
    Property(name: "adaptive", standard: "false", other: "true"),
    Property(name: "cpu-budget", standard: "0", other: "0.5"),
    Property(name: "stats-interval", standard: "0", other: "250"),
    Property(name: "attach-matte", standard: "false", other: "true"),
    Property(name: "device", standard: "CPU", other: "GPU.1", isMutableWhilePlaying: false),
    Property(name: "threads", standard: "0", other: "3", isMutableWhilePlaying: false),
  ]

  @Test func thePropertiesMatchTheContract() throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    var names = Set(Self.properties.map(\.name))
    names.formUnion(["stats", "name", "parent", "qos", "skip-still"])
    names.formUnion(PublishedState.properties.map(\.name))
    #expect(unsafe Set(specifications(of: element).keys) == names)
  }

  @Test(arguments: properties)
  func setValuesAreReturned(_ property: Property) throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    #expect(unsafe try value(of: property.name, element) == property.standard)
    unsafe gst_util_set_object_arg(Self.object(element), property.name, property.other)
    #expect(unsafe try value(of: property.name, element) == property.other)
  }

  @Test(arguments: properties)
  func mutabilityAndBlurbAreDeclared(_ property: Property) throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let specification = unsafe try #require(specifications(of: element)[property.name])
    let flags = unsafe UInt32(specification.pointee.flags.rawValue)
    let (ready, playing) = (flags & (1 << 10), flags & (1 << 12))
    #expect((playing != 0) == property.isMutableWhilePlaying)
    #expect((ready != 0) == !property.isMutableWhilePlaying)
    let blurb = unsafe String(cString: try #require(g_param_spec_get_blurb(specification)))
    #expect(20...120 ~= blurb.count)
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

  /// Controllers animate properties, and accept only numbers.
  @Test func numbersCanBeControlled() throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let controllable = unsafe Set(
      specifications(of: element).filter { unsafe $0.value.pointee.flags.rawValue & (1 << 9) != 0 }
        .keys)
    let expected: Set = [
      "background-color", "blur-radius", "target-fps", "matte-grow", "matte-feather", "smoothing",
      "light-wrap", "match-light", "low-light", "max-zoom", "cpu-budget",
    ]
    #expect(controllable == expected)
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

  /// GObject does not check some values that a binding builds by hand.
  @Test("clamps numbers that GObject did not check, and ignores NaN")
  func clampsUncheckedNumbers() {
    var settings = Settings()
    func set(_ name: String, _ number: Double) {
      let index = Settings.table.specifications.firstIndex { $0.name == name } ?? 0
      var value = Self.double(number)
      unsafe Settings.table.set(UInt32(index + 1), to: &value) { $0(&settings) }
    }
    set("blur-radius", .nan)
    #expect(settings.blurRadius == 10)
    for name in [
      "blur-radius", "target-fps", "matte-grow", "matte-feather", "smoothing", "light-wrap",
      "match-light",
    ] {
      set(name, 1e300)
    }
    #expect(settings.lightWrap == 1)
    #expect(settings.matchLight == 1)
    #expect(settings.blurRadius == 100)
    #expect(settings.targetFPS == 1000)
    #expect(settings.matte.grow == 50)
    #expect(settings.matte.feather == 50)
    #expect(settings.matte.smoothing == 1)
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

  @Test func statsCannotBeWritten() throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let specification = unsafe try #require(specifications(of: element)["stats"])
    #expect(unsafe specification.pointee.flags.rawValue & CGST_PARAM_WRITABLE.rawValue == 0)
  }

  @Test func theElementDescribesItself() throws {
    let element = unsafe try GStreamer.make("vbgfilter")
    defer { unsafe GStreamer.unref(element) }
    let factory = unsafe try #require(gst_element_get_factory(element))
    for (key, expected) in [("long-name", "Virtual background"), ("klass", "Filter/Effect/Video")] {
      let text = unsafe String(
        cString: try #require(gst_element_factory_get_metadata(factory, key)))
      #expect(text == expected)
    }
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
