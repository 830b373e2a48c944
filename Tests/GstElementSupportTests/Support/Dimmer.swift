import CGStreamer
import GstElementSupport

/// What users set of a `Dimmer`: a property of each kind.
struct DimmerSettings: DefaultInitializable, Equatable {
  enum Curve: PropertyChoice {
    case linear, steep

    static let typeName = "GstTestDimmerCurve"
    static let choices = [
      (value: linear, nick: "linear", blurb: "As it is"),
      (value: steep, nick: "steep", blurb: "Twice as fast"),
    ]
  }

  /// Words joined by commas.
  struct Words: PropertyReading, Equatable {
    let text: String
    let words: [Substring]

    init(_ text: String) {
      self.text = text
      words = text.split(separator: ",")
    }
  }

  var level = 0.5
  var steps = 3
  var isOn = true
  var title = "none"
  var path: String?
  var words = Words("red,green")
  var curve = Curve.steep

  static let table = PropertyTable<DimmerSettings>([
    .number("level", \.level, in: 0...1, "How bright"),
    .unsigned("steps", \.steps, in: 1...8, nick: "Number of steps", access: .ready, "How many"),
    .flag("is-on", \.isOn, "Whether it works"),
    .text("title", \.title, "What it is called"),
    .text("path", \.path, "Where it lies"),
    .text("words", \.words, "What it is said to be"),
    .choice("curve", \.curve, "How it goes"),
  ])
}

/// An element that notes what it is asked, and does what the test wants.
///
/// Used in the test's own thread.
final class Dimmer: ElementObject {
  let base: BaseTransform
  var settings = DimmerSettings()
  /// The buffers that `transformInPlace` has had.
  private(set) var frames = 0
  /// Those that came before that.
  private(set) var expected = 0
  var flow = GST_FLOW_OK

  init(_ base: BaseTransform) {
    self.base = base
  }

  static let structure = PropertySpecification.structure("report", "What there was")

  /// Registered once, with nothing overridden.
  static let plain = type("GstTestPlainDimmer", [])
  /// Registered once, works on frames where they lie.
  static let inPlace = type("GstTestDimmer", .transformInPlace)
  /// Registered once, sees frames that pass.
  static let watcher = type("GstTestWatcher", [.transformInPlace, .seesPassthrough])

  private static func type(_ name: String, _ vfuncs: ElementType.Vfuncs) -> ElementType {
    let type = ElementType(
      name: name, description: ("Dimmer", "Filter/Effect/Video", "Dims"), author: "Somebody",
      vfuncs: vfuncs.union(.beforeTransform),
      caps: ("video/x-raw, format = GRAY8", "video/x-raw, format = GRAY8"),
      properties: DimmerSettings.table.specifications + [structure], make: { Dimmer($0) })
    if gst_init_check(nil, nil, nil) != 0 { _ = type.register() }
    return type
  }

  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    unsafe DimmerSettings.table.set(id, to: value) { $0(&settings) }
  }

  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    guard id == DimmerSettings.table.nextID else {
      return unsafe DimmerSettings.table.get(id, of: settings, into: value)
    }
    let report = StructureBuilder("report")
    report.set("frames", to: UInt64(frames))
    report.set("title", to: settings.title)
    report.set("is-on", to: settings.isOn)
    report.set("level", to: settings.level)
    unsafe g_value_take_boxed(value, report.take())
  }

  func setInfo(
    _ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>
  ) -> Bool { true }

  func beforeTransform(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    expected += 1
  }

  func transformInPlace(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    frames += 1
    return flow
  }
}
