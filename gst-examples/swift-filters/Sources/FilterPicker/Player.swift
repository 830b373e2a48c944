import CSwiftFilters
import Glibc

/// The pipeline: a camera or a file, the filters, a text on the video, and the screen.
///
/// Not thread-safe.
@safe final class Player {
  /// A filter or analyzer that can be chosen.
  struct ListedFilter {
    let id: String
    let name: String
  }

  /// A message of the pipeline.
  enum Event {
    case end
    case failure(String)
    case warning(String)
    /// A result of an analyzer, by its id.
    case result(of: String, String)
  }

  /// The filters that can be chosen, in the order of the plugin.
  let filters: [ListedFilter]

  // This object owns a reference to each, which `deinit` releases.
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let switcher: UnsafeMutablePointer<GstElement>
  private let label: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>

  /// Creates the pipeline.
  ///
  /// - Throws: `PickerError`, when the pipeline cannot be created.
  init(_ options: PickerOptions) throws {
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
    if let error = unsafe error { throw unsafe PickerError(Self.text(of: error)) }
    guard let pipeline = unsafe made,
      let switcher = unsafe swiftfilters_find(pipeline, "switcher"),
      let label = unsafe swiftfilters_find(pipeline, "label"),
      let bus = unsafe gst_element_get_bus(pipeline)
    else { throw PickerError("GStreamer could not create the pipeline") }
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

  /// Starts playback.
  ///
  /// `nextEvent` reports errors.
  func play() {
    unsafe swiftfilters_play(pipeline)
  }

  /// Chooses the filters with these ids.
  func choose(_ ids: [String]) {
    unsafe swiftfilters_set_text(switcher, "filter", ids.joined(separator: ","))
  }

  /// The filters that are chosen.
  var chosen: [ListedFilter] { filters(namedBy: "filter") }

  /// The filters in use.
  ///
  /// They differ from the chosen ones until a newly chosen filter has been set up.
  var current: [ListedFilter] { filters(namedBy: "current") }

  private func filters(namedBy property: String) -> [ListedFilter] {
    let text = unsafe swiftfilters_get_text(switcher, property)
    defer { unsafe g_free(text) }
    let ids = unsafe text.map { unsafe String(cString: $0) }?.split(separator: ",") ?? []
    return ids.compactMap { id in filters.first { $0.id.elementsEqual(id) } }
  }

  /// Shows a text on the video.
  func show(_ title: String) {
    unsafe swiftfilters_set_text(label, "text", title)
  }

  /// Returns the next message, or nil if no message arrives within 20 ms.
  func nextEvent() -> Event? {
    guard let message = unsafe gst_bus_timed_pop(bus, 20_000_000) else { return nil }
    defer { unsafe gst_message_unref(message) }
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    switch unsafe swiftfilters_message(message) {
    case SWIFTFILTERS_END: return .end
    case SWIFTFILTERS_ERROR:
      unsafe gst_message_parse_error(message, &error, nil)
      return unsafe .failure(error.map { unsafe Self.text(of: $0) } ?? "the video failed")
    case SWIFTFILTERS_WARNING:
      unsafe gst_message_parse_warning(message, &error, nil)
      return unsafe error.map { unsafe .warning(Self.text(of: $0)) }
    case SWIFTFILTERS_RESULT:
      guard let structure = unsafe gst_message_get_structure(message) else { return nil }
      return unsafe result(structure)
    default: return nil
    }
  }

  /// Returns the result of an analyzer, or nil for messages of other elements.
  private func result(_ structure: UnsafePointer<GstStructure>) -> Event? {
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

  private static func filters(of switcher: UnsafeMutablePointer<GstElement>) -> [ListedFilter] {
    guard let list = unsafe swiftfilters_get_structure(switcher, "filters") else { return [] }
    defer { unsafe gst_structure_free(list) }
    return unsafe fields(of: list).map { id in
      let name = unsafe gst_structure_get_string(list, id).map { unsafe String(cString: $0) }
      return ListedFilter(id: id, name: name ?? id)
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
    unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "unknown error"
  }
}
