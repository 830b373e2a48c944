import CGStreamer
import CGstElement
import GstElementSupport
import Threads

/// An element that runs chosen filters of a list, and can change the choice between two frames.
///
/// It has a child element for each filter of the list. The child has the filter's properties and
/// runner, and must not be added to a pipeline.
@safe final class SwitcherElement: FilterElement {
  /// The values of the properties.
  private struct Properties {
    /// The name of the element, for messages.
    let elementID: String
    /// The ids of the filters, with their names for users.
    let filters: [(id: String, name: String)]
    /// The chosen filters, as indices in `filters`.
    var chosen: [Int] = []
    var isActive = true
    /// The number of changes of `chosen`.
    var version = 0
    var isStreaming = false
    /// The filters in use, as indices in `filters`.
    var current: [Int] = []
    /// The error in the last choice, or nil if there is no error or it has been posted.
    ///
    /// It is posted at once while streaming, otherwise by `canStart`.
    var problem: String?

    static let table = PropertyTable<Properties>(
      [
        .active(\.isActive),
        Property(
          PropertySpecification(
            "filter",
            "The id of the filter to run. Several ids, joined by commas, run one after the other. "
              + "Empty runs none", .text)
        ) {
          .text($0.ids(of: $0.chosen))
        } change: { value in
          guard case .text(let text) = value else { return nil }
          return { $0.choose(text ?? "") }
        },
        .structure(
          "filters",
          "The available filters: a field for each, named by its id, with its display name"
        ) { properties in
          let list = StructureBuilder("filters")
          for filter in properties.filters { list.set(filter.id, to: filter.name) }
          return list
        },
        Property(
          PropertySpecification(
            "current",
            "The ids of the filters in use, joined by commas. A filter is in use when its set-up "
              + "has ended", .text, access: .never)
        ) {
          .text($0.ids(of: $0.current))
        },
      ], defaults: Properties(elementID: "", filters: []))

    private func ids(of chosen: [Int]) -> String {
      chosen.map { filters[$0].id }.joined(separator: ",")
    }

    /// Sets the chosen filters from a text: their ids, joined by commas.
    ///
    /// If the text has an error, keeps the previous choice and sets `problem`.
    private mutating func choose(_ text: String) {
      var chosen: [Int] = []
      problem = nil
      for word in text.split(separator: ",") {
        let id = word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard let index = filters.firstIndex(where: { $0.id.elementsEqual(id) }) else {
          let ids = filters.map(\.id).joined(separator: ", ")
          problem = "\(elementID): there is no filter \"\(String(id))\"; the filters are \(ids)"
          return
        }
        if chosen.contains(index) {
          problem = "\(elementID): the filter \"\(String(id))\" is named twice"
          return
        }
        chosen.append(index)
      }
      self.chosen = chosen
      version &+= 1
    }
  }

  private let shared: Monitor<Properties>
  // Owned: `deinit` unparents each child, which releases the reference.
  private let childElements: [UnsafeMutablePointer<GstElement>]
  private let runners: [Runner]
  private var chosen: [Int] = []
  private var version = 0
  private var isActiveNow = true
  /// The runners of a new choice, while they are being set up.
  private var preparation: (version: Int, runners: [Runner])?

  /// Creates the object of an element, with a child element for each kind.
  init(
    _ base: BaseTransform, _ id: String, _ category: DebugCategory, _ kinds: [ElementKind]
  ) {
    var children: [UnsafeMutablePointer<GstElement>] = unsafe []
    var runners: [Runner] = []
    for kind in kinds {
      guard
        let made = unsafe g_object_new_with_properties(kind.type.type, 0, nil, nil),
        case let child = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(
          to: GstElement.self),
        let object = unsafe FilterElement.behind(child), let runner = object.runner
      else { continue }
      object.takesFrames = false
      unsafe gst_object_set_name(gstObject(child), kind.declaration.id)
      // The parent takes ownership of the floating reference.
      unsafe gst_object_set_parent(gstObject(child), base.gstObject)
      unsafe children.append(child)
      runners.append(runner)
    }
    unsafe childElements = children
    self.runners = runners
    let filters = runners.map { (id: $0.declaration.id, name: $0.declaration.name) }
    shared = Monitor(Properties(elementID: id, filters: filters))
    super.init(base, id, category, nil)
  }

  static let properties = Properties.table.specifications

  /// The vfuncs of the elements, and the functions of GstChildProxy.
  static var vfuncs: CGstElementFunctions {
    // Analyzers also read frames in passthrough mode, when no filter changes them.
    var vfuncs = vfuncs(seesPassthrough: true)
    unsafe vfuncs.get_children_count = {
      guint(unsafe filterElement(UnsafeMutableRawPointer($0)).children.count)
    }
    unsafe vfuncs.get_child_by_index = { element, index in
      let children = unsafe filterElement(UnsafeMutableRawPointer(element)).children
      guard unsafe Int(index) < children.count else { return nil }
      return unsafe gst_object_ref(children[Int(index)])?.assumingMemoryBound(to: GObject.self)
    }
    return vfuncs
  }

  deinit {
    unsafe childElements.forEach { unsafe gst_object_unparent(gstObject($0)) }
  }

  override var children: [UnsafeMutablePointer<GstElement>] { unsafe childElements }
  override var isActive: Bool { isActiveNow }

  override func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    var problem: String?
    unsafe Properties.table.set(id, to: value) { change in
      shared.withLock { properties in
        change(&properties)
        guard properties.isStreaming else { return }
        problem = properties.problem
        properties.problem = nil
      }
    }
    if let problem { bus.postWarning(.stream("\(problem); the choice stays as it was")) }
  }

  override func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    _ = unsafe Properties.table.get(id, of: shared.current, into: value)
  }

  override func canStart() -> Bool {
    let problem = shared.withLock { properties in
      // While `isStreaming` is true, `setProperty` posts errors itself.
      properties.isStreaming = properties.problem == nil
      return properties.problem
    }
    guard let problem else { return true }
    bus.postError(.resource(GST_RESOURCE_ERROR_FAILED, problem))
    return false
  }

  override func setUpChain(for stream: VideoStream) {
    // The preparation belongs to the previous stream.
    preparation = nil
    let wanted = shared.current
    isActiveNow = wanted.isActive
    adopt(wanted.chosen, wanted.version)
    super.setUpChain(for: stream)
  }

  override func updateChain() {
    let wanted = shared.current
    if isActiveNow != wanted.isActive {
      isActiveNow = wanted.isActive
      recordCurrent()
    }
    if let preparation {
      guard preparation.runners.allSatisfy({ $0.isSettled() }) else { return }
      self.preparation = nil
      let failed = preparation.runners.first { $0.failure != nil }
      if let failed, let failure = failed.failure {
        let current = chosen
        let isBack = shared.withLock { properties in
          guard properties.version == preparation.version else { return false }
          properties.chosen = current
          return true
        }
        if isBack { bus.notify("filter") }
        version = preparation.version
        // Post the warning after the change, so that a handler reads the current choice.
        bus.postWarning(
          .stream("\(failed.declaration.complaint(failure)); the choice stays as it was"))
      }
    }
    guard wanted.version != version, let stream else { return }
    let wantedRunners = wanted.chosen.map { runners[$0] }
    for runner in wantedRunners { runner.getReady(for: stream, waking: wait) }
    if wantedRunners.allSatisfy({ $0.isSettled() && $0.failure == nil }) {
      adopt(wanted.chosen, wanted.version)
    } else {
      preparation = (wanted.version, wantedRunners)
    }
  }

  private func adopt(_ chosen: [Int], _ version: Int) {
    self.chosen = chosen
    self.version = version
    chain = chosen.map { runners[$0] }
    recordCurrent()
  }

  /// Updates `current`, and notifies the application if it has changed.
  private func recordCurrent() {
    let current = isActiveNow ? chosen : []
    let isNew = shared.withLock { properties in
      defer { properties.current = current }
      return properties.current != current
    }
    if isNew { bus.notify("current") }
  }

  override func resetRunners() {
    preparation = nil
    for runner in runners { runner.reset() }
    chain = []
    chosen = []
    shared.withLock { $0.isStreaming = false }
    recordCurrent()
  }

  override func syncValues(atStreamTime time: UInt64) {
    super.syncValues(atStreamTime: time)
    for index in chosen {
      unsafe BaseTransform.syncControlledProperties(
        of: gstObject(childElements[index]), atStreamTime: time)
    }
  }
}

/// Returns an element as a GstObject, for functions that take no GstElement.
private func gstObject(
  _ element: UnsafeMutablePointer<GstElement>
) -> UnsafeMutablePointer<GstObject> {
  unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
}
