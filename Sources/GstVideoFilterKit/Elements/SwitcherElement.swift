import CGStreamer
import GstElementSupport
import Threads

/// An element that runs those of a list that are chosen, and changes them between two frames.
///
/// For each of the list it has a child element, which is in no pipeline: it holds the properties
/// and the runner.
@safe final class SwitcherElement: FilterElement {
  /// What users want.
  private struct Wish {
    /// Indices of the list.
    var chosen: [Int] = []
    var isActive = true
    /// Counts the changes of `chosen`.
    var version = 0
    var isStreaming = false
    /// Indices of those that frames go through.
    var current: [Int] = []
    /// What was wrong with the last wish, if it came while nobody could be told.
    var problem: String?
  }

  /// A choice that is set up off the streaming thread.
  private struct Preparation {
    let version: Int
    let runners: [Runner]
  }

  private let wish = Monitor(Wish())
  // Owned: each is unparented, which drops the reference, when this object ends.
  private let childElements: [UnsafeMutablePointer<GstElement>]
  private let runners: [Runner]
  private var chosen: [Int] = []
  private var version = 0
  private var isActiveNow = true
  private var preparation: Preparation?

  /// Makes the object behind an element, with a child for each kind.
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
        let single = unsafe FilterElement.behind(child) as? SingleElement
      else { continue }
      single.takesFrames = false
      let asObject = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstObject.self)
      unsafe gst_object_set_name(asObject, kind.declaration.id)
      // Takes the floating reference.
      unsafe gst_object_set_parent(asObject, base.gstObject)
      unsafe children.append(child)
      runners.append(single.runner)
    }
    unsafe childElements = children
    self.runners = runners
    super.init(base, id, category)
  }

  /// The GType of elements that switch between those of some kinds.
  static func kind(
    _ declaration: ElementDeclaration, typeName: String, author: String,
    category: DebugCategory, switchingBetween kinds: [ElementKind]
  ) -> ElementKind {
    ElementKind(
      declaration, typeName: typeName, author: author, classification: "Filter/Effect/Video",
      // Analyzers look at frames that no filter changes.
      vfuncs: [.seesPassthrough, .children],
      properties: [
        PropertySpecification(
          name: "filter",
          blurb: "The filter at work, by its id; several, joined by commas, work one after the "
            + "other; empty for none", kind: .text, initial: .text("")),
        .structure(
          "filters",
          "The filters to choose from: a field for each, named by its id, with the name for "
            + "people"),
        PropertySpecification(
          name: "current",
          blurb: "The ids of the filters that frames go through by now, joined by commas; what "
            + "filter says takes its time if a filter has to be set up", kind: .text,
          initial: .text(""), access: .never),
      ]
    ) { base in
      SwitcherElement(base, declaration.id, category, kinds)
    }
  }

  deinit {
    unsafe childElements.forEach { child in
      unsafe gst_object_unparent(
        UnsafeMutableRawPointer(child).assumingMemoryBound(to: GstObject.self))
    }
  }

  override var children: [UnsafeMutablePointer<GstElement>] { unsafe childElements }
  override var isActive: Bool { isActiveNow }

  override func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    switch id {
    case ElementProperty.active:
      let isActive = unsafe g_value_get_boolean(value) != 0
      wish.withLock { $0.isActive = isActive }
    case ElementProperty.filter:
      choose(unsafe g_value_get_string(value).map { unsafe String(cString: $0) } ?? "")
    default: break
    }
  }

  override func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    switch id {
    case ElementProperty.active:
      unsafe g_value_set_boolean(value, wish.withLock { $0.isActive } ? 1 : 0)
    case ElementProperty.filter:
      unsafe g_value_set_string(value, text(of: wish.withLock { $0.chosen }))
    case ElementProperty.current:
      unsafe g_value_set_string(value, text(of: wish.withLock { $0.current }))
    case ElementProperty.filters:
      let list = StructureBuilder("filters")
      for runner in runners {
        list.set(runner.declaration.id, to: .text(runner.declaration.name))
      }
      // The value takes the structure over.
      unsafe g_value_take_boxed(value, list.take())
    default: break
    }
  }

  /// Wishes for filters by their ids, joined by commas.
  private func choose(_ text: String) {
    var chosen: [Int] = []
    var problem: String?
    for word in text.split(separator: ",") {
      let id = word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
      guard let index = runners.firstIndex(where: { $0.declaration.id.elementsEqual(id) }) else {
        let ids = runners.map(\.declaration.id).joined(separator: ", ")
        problem = "there is no filter \"\(String(id))\"; there are \(ids)"
        break
      }
      if chosen.contains(index) { problem = "the filter \"\(String(id))\" is named twice" }
      chosen.append(index)
    }
    let complaint = problem.map { "\(id): \($0)" }
    let isStreaming = wish.withLock { wish in
      wish.problem = wish.isStreaming ? nil : complaint
      if complaint == nil {
        wish.chosen = chosen
        wish.version &+= 1
      }
      return wish.isStreaming
    }
    if let complaint, isStreaming {
      bus.postWarning(.stream("\(complaint); the choice stays as it was"))
    }
  }

  private func text(of chosen: [Int]) -> String {
    chosen.map { runners[$0].declaration.id }.joined(separator: ",")
  }

  override func canStart() -> Bool {
    // From now on somebody can be told of a wrong wish.
    let problem = wish.withLock { wish in
      wish.isStreaming = wish.problem == nil
      return wish.problem
    }
    guard let problem else { return true }
    bus.postError(.resource(GST_RESOURCE_ERROR_FAILED, problem))
    return false
  }

  override func setUpChain(for stream: VideoStream) {
    // What was set up for the stream before is not what frames wait for now.
    preparation = nil
    let wish = wish.withLock { $0 }
    isActiveNow = wish.isActive
    adopt(wish.chosen, wish.version)
    super.setUpChain(for: stream)
  }

  override func updateChain() {
    let wanted = wish.withLock { $0 }
    if isActiveNow != wanted.isActive {
      isActiveNow = wanted.isActive
      noteCurrent()
    }
    if let preparation {
      guard preparation.runners.allSatisfy({ $0.isSettled() }) else { return }
      self.preparation = nil
      let failed = preparation.runners.first { $0.failure != nil }
      if let failed, let failure = failed.failure {
        let atWork = chosen
        let isBack = wish.withLock { wish in
          guard wish.version == preparation.version else { return false }
          wish.chosen = atWork
          return true
        }
        if isBack { bus.notify("filter") }
        version = preparation.version
        // Whoever reads it finds the choice as it is.
        bus.postWarning(
          .stream("\(failed.complaint(failure)); the choice stays as it was"))
      }
    }
    guard wanted.version != version, let stream else { return }
    let wantedRunners = wanted.chosen.map { runners[$0] }
    for runner in wantedRunners { runner.getReady(for: stream, bus, waking: wait) }
    if wantedRunners.allSatisfy({ $0.isSettled() && $0.failure == nil }) {
      adopt(wanted.chosen, wanted.version)
    } else {
      preparation = Preparation(version: wanted.version, runners: wantedRunners)
    }
  }

  private func adopt(_ chosen: [Int], _ version: Int) {
    self.chosen = chosen
    self.version = version
    chain = chosen.map { runners[$0] }
    noteCurrent()
  }

  private func noteCurrent() {
    note(current: isActiveNow ? chosen : [])
  }

  /// Lets everybody know which filters frames go through.
  private func note(current: [Int]) {
    let isNew = wish.withLock { wish in
      defer { wish.current = current }
      return wish.current != current
    }
    if isNew { bus.notify("current") }
  }

  override func forgetRunners() {
    preparation = nil
    for runner in runners { runner.reset() }
    chain = []
    chosen = []
    wish.withLock { $0.isStreaming = false }
    note(current: [])
  }

  override func syncValues(atStreamTime time: UInt64) {
    super.syncValues(atStreamTime: time)
    for index in chosen {
      unsafe BaseTransform.syncControlledProperties(
        of: UnsafeMutableRawPointer(childElements[index]).assumingMemoryBound(to: GstObject.self),
        atStreamTime: time)
    }
  }
}
