import CGStreamer
import GstElementSupport

/// An element that runs one filter or analyzer.
final class SingleElement: FilterElement {
  let runner: Runner

  init(_ base: BaseTransform, _ id: String, _ category: DebugCategory, runner: Runner) {
    self.runner = runner
    super.init(base, id, category)
    chain = [runner]
    // With QoS, late frames are dropped to save work. An analyzer does little work on the streaming
    // thread, so disable QoS to keep the frames.
    if !runner.changesFrames {
      unsafe gst_base_transform_set_qos_enabled(base.pointer, 0)
    }
  }

  /// Creates the kind of the elements that run a filter or an analyzer of this type.
  static func kind(
    _ declaration: ElementDeclaration, _ type: any VideoElement.Type, typeName: String,
    author: String, category: DebugCategory
  ) -> ElementKind {
    let isAnalyzer = type is any VideoAnalyzer.Type
    return ElementKind(
      declaration, typeName: typeName, author: author,
      classification: isAnalyzer ? "Filter/Analyzer/Video" : "Filter/Effect/Video",
      vfuncs: vfuncs(seesPassthrough: isAnalyzer),
      properties: declaration.properties.specifications
    ) { base in
      SingleElement(base, declaration.id, category, runner: Runner(declaration, type))
    }
  }

  override func canStart() -> Bool {
    if !takesFrames {
      bus.log(
        GST_LEVEL_ERROR,
        "the child of a switcher cannot be used in a pipeline itself: use the switcher")
    }
    return takesFrames
  }

  override func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    unsafe runner.declaration.properties.set(id, to: value) { runner.settings.withLock($0) }
  }

  override func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    _ = unsafe runner.declaration.properties.get(id, of: runner.settings.current, into: value)
  }
}
