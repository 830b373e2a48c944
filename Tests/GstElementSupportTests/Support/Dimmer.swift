import CGStreamer
import CGstElement
import GstElementSupport

/// The user settings of a `Dimmer`, with a property of each kind.
struct DimmerSettings: Equatable {
  enum Curve: PropertyChoice {
    case linear, steep

    static let typeName = "GstTestDimmerCurve"
    static let choices = [
      (value: linear, nick: "linear", blurb: "As it is"),
      (value: steep, nick: "steep", blurb: "Twice as fast"),
    ]
  }

  /// Words separated by commas.
  struct Words: PropertyText, Equatable {
    let propertyText: String?
    let words: [Substring]

    init(propertyText: String?) {
      self.propertyText = propertyText
      words = (propertyText ?? "").split(separator: ",")
    }
  }

  var level = 0.5
  var steps = 3
  var isOn = true
  var title = "none"
  var path: String?
  var words = Words(propertyText: "red,green")
  var curve = Curve.steep

  static let table = PropertyTable<DimmerSettings>(properties, defaults: DimmerSettings())

  private static let properties: [Property<DimmerSettings>] = [
    .number("level", \.level, limits: (0, 1), "How bright"),
    .unsigned("steps", \.steps, in: 1...8, nick: "Number of steps", access: .ready, "How many"),
    .flag("is-on", \.isOn, "Whether it works"),
    .text("title", \.title, "What it is called"),
    .text("path", \.path, "Where it lies"),
    .text("words", \.words, "What it is said to be"),
    .choice("curve", \.curve, "How it goes"),
  ]
}

/// An element that records its calls, and behaves as the test requests.
///
/// Runs on the test's own thread.
final class Dimmer: ElementObject {
  var settings = DimmerSettings()
  /// The number of buffers passed to `transformInPlace`.
  private(set) var frames = 0
  /// The number of buffers that arrived before the transform.
  fileprivate(set) var expected = 0
  var flow = GST_FLOW_OK

  init(_ base: BaseTransform) {
    super.init(base, category: DebugCategory("dimmer", "the tests' element"))
  }

  /// The contents of the structure.
  private struct Report {
    var settings = DimmerSettings()
    var frames = 0

    static let table = PropertyTable<Report>(
      [
        .structure("report", "What there was") {
          let report = StructureBuilder("report")
          report.set("frames", to: UInt64($0.frames))
          report.set("title", to: $0.settings.title)
          report.set("is-on", to: $0.settings.isOn)
          report.set("level", to: $0.settings.level)
          return report
        }
      ], defaults: Report(), firstID: DimmerSettings.table.nextID)
  }

  /// Registered once, without overrides.
  static let plain = type("GstTestPlainDimmer") { _ in }
  /// Registered once, transforms frames in place.
  static let inPlace = type("GstTestDimmer") { transformInPlace(&$0) }
  /// Registered once, also receives frames that pass through.
  static let watcher = type("GstTestWatcher") {
    transformInPlace(&$0)
    $0.sees_passthrough = 1
  }

  private static func transformInPlace(_ vfuncs: inout CGstElementFunctions) {
    unsafe vfuncs.transform_ip = { unsafe dimmer($0).transformInPlace($1) }
  }

  private static func type(
    _ name: String, _ override: (inout CGstElementFunctions) -> Void
  ) -> ElementType {
    var vfuncs = CGstElementFunctions()
    unsafe vfuncs.set_info = { _, _, _, _, _ in 1 }
    unsafe vfuncs.before_transform = { element, _ in unsafe dimmer(element).expected += 1 }
    override(&vfuncs)
    let type = ElementType(
      name: name, description: ("Dimmer", "Filter/Effect/Video", "Dims"), author: "Somebody",
      vfuncs: vfuncs,
      caps: ("video/x-raw, format = GRAY8", "video/x-raw, format = GRAY8"),
      properties: DimmerSettings.table.specifications + Report.table.specifications,
      make: { Dimmer($0) })
    if gst_init_check(nil, nil, nil) != 0 { _ = type.register() }
    return type
  }

  override func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    unsafe DimmerSettings.table.set(id, to: value) { $0(&settings) }
  }

  override func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    let report = Report(settings: settings, frames: frames)
    _ =
      unsafe DimmerSettings.table.get(id, of: settings, into: value)
      || Report.table.get(id, of: report, into: value)
  }

  func transformInPlace(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    frames += 1
    return flow
  }
}

private func dimmer(_ element: UnsafeMutableRawPointer) -> Dimmer {
  unsafe Dimmer.of(element)
}
