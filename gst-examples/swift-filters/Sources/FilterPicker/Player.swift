import CSwiftFilters
import Glibc

/// The pipeline: a camera or a file, the filters, the name of the chosen one, and the screen.
///
/// Used on the main thread alone.
@safe final class Player {
  /// A filter or analyzer of the list.
  struct Filter {
    let id: String
    let name: String
  }

  /// What the pipeline tells.
  enum News {
    case end
    case failure(String)
    case warning(String)
    /// A result of an analyzer, by its id.
    case result(of: String, String)
  }

  /// The filters that there are, in their order.
  let filters: [Filter]

  // Owned, each by a reference that is given back at the end.
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let switcher: UnsafeMutablePointer<GstElement>
  private let label: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>

  /// Puts the pipeline together; nothing plays yet.
  ///
  /// - Throws: `Mistake`, when GStreamer lacks something.
  init(_ options: Options) throws {
    let isCamera = options.input == "camera"
    let hasScreen = unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    let sink = options.sink ?? (hasScreen ? "autovideosink" : "fakesink sync=true")
    let description = """
      \(isCamera ? "v4l2src" : "filesrc name=source") ! decodebin ! videoconvert ! \
      swiftfilter name=switcher ! textoverlay name=label font-desc="Sans 20" ! videoconvert ! \(sink)
      """
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe swiftfilters_parse(description, &error)
    defer { unsafe g_clear_error(&error) }
    if let error = unsafe error { throw unsafe Mistake(Self.text(of: error)) }
    guard let pipeline = unsafe made,
      let switcher = unsafe swiftfilters_find(pipeline, "switcher"),
      let label = unsafe swiftfilters_find(pipeline, "label"),
      let bus = unsafe gst_element_get_bus(pipeline)
    else { throw Mistake("GStreamer could not make the pipeline") }
    unsafe self.pipeline = pipeline
    unsafe self.switcher = switcher
    unsafe self.label = label
    unsafe self.bus = bus
    filters = unsafe Self.filters(of: switcher)
    if let source = unsafe swiftfilters_find(pipeline, "source") {
      unsafe swiftfilters_set_text(source, "location", options.input)
      unsafe gst_object_unref(source)
    }
    if let background = options.background {
      unsafe swiftfilters_set_child_text(switcher, "replace-room::background", background)
    }
  }

  deinit {
    unsafe swiftfilters_stop(pipeline)
    unsafe gst_object_unref(bus)
    unsafe gst_object_unref(label)
    unsafe gst_object_unref(switcher)
    unsafe gst_object_unref(pipeline)
  }

  /// Begins to play; what goes wrong is told by `nextNews`.
  func play() {
    unsafe swiftfilters_play(pipeline)
  }

  /// Puts filters to work, by their ids.
  func choose(_ ids: [String]) {
    unsafe swiftfilters_set_text(switcher, "filter", ids.joined(separator: ","))
  }

  /// The filters that are wanted.
  var chosen: [Filter] { filters(namedBy: "filter") }

  /// Those that frames go through by now: one that is chosen for the first time has to be set up.
  var current: [Filter] { filters(namedBy: "current") }

  private func filters(namedBy property: String) -> [Filter] {
    let text = unsafe swiftfilters_get_text(switcher, property)
    defer { unsafe g_free(text) }
    let ids = unsafe text.map { unsafe String(cString: $0) }?.split(separator: ",") ?? []
    return ids.compactMap { id in filters.first { $0.id.elementsEqual(id) } }
  }

  /// Writes a text on the picture.
  func show(_ title: String) {
    unsafe swiftfilters_set_text(label, "text", title)
  }

  /// What there is to tell next; nil when there is nothing for a fiftieth of a second.
  func nextNews() -> News? {
    guard let message = unsafe gst_bus_timed_pop(bus, 20_000_000) else { return nil }
    defer { unsafe gst_message_unref(message) }
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    switch unsafe swiftfilters_news(message) {
    case SWIFTFILTERS_END: return .end
    case SWIFTFILTERS_ERROR:
      unsafe gst_message_parse_error(message, &error, nil)
      return unsafe .failure(error.map { unsafe Self.text(of: $0) } ?? "the video broke off")
    case SWIFTFILTERS_WARNING:
      unsafe gst_message_parse_warning(message, &error, nil)
      return unsafe error.map { unsafe .warning(Self.text(of: $0)) }
    case SWIFTFILTERS_RESULT:
      guard let structure = unsafe gst_message_get_structure(message) else { return nil }
      return unsafe result(structure)
    default: return nil
    }
  }

  /// The result of an analyzer; nil for what other elements post.
  private func result(_ structure: UnsafePointer<GstStructure>) -> News? {
    guard let name = unsafe gst_structure_get_name(structure),
      case let id = unsafe String(cString: name), filters.contains(where: { $0.id == id })
    else { return nil }
    let fields = unsafe Self.fields(of: structure).filter { $0 != "timestamp" }.map { field in
      let text = unsafe swiftfilters_describe(structure, field)
      defer { unsafe g_free(text) }
      return unsafe "\(field) \(text.map { unsafe String(cString: $0) } ?? "?")"
    }
    return .result(of: id, fields.joined(separator: ", "))
  }

  private static func filters(of switcher: UnsafeMutablePointer<GstElement>) -> [Filter] {
    guard let list = unsafe swiftfilters_get_structure(switcher, "filters") else { return [] }
    defer { unsafe gst_structure_free(list) }
    return unsafe fields(of: list).map { id in
      let name = unsafe gst_structure_get_string(list, id).map { unsafe String(cString: $0) }
      return Filter(id: id, name: name ?? id)
    }
  }

  private static func fields(of structure: UnsafePointer<GstStructure>) -> [String] {
    let count = unsafe gst_structure_n_fields(structure)
    return (0..<max(count, 0)).compactMap { number in
      unsafe gst_structure_nth_field_name(structure, guint(number)).map {
        unsafe String(cString: $0)
      }
    }
  }

  private static func text(of error: UnsafeMutablePointer<GError>) -> String {
    unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "something went wrong"
  }
}
