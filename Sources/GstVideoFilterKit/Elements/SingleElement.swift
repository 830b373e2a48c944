import CGStreamer
import GstElementSupport

/// An element that runs one filter or analyzer.
final class SingleElement: FilterElement {
  let runner: Runner

  init(_ base: BaseTransform, _ category: DebugCategory, _ runner: Runner) {
    self.runner = runner
    super.init(base, runner.declaration.id, category)
    chain = [runner]
    // With QoS, late frames are dropped to save work. An analyzer does little work on the streaming
    // thread, so disable QoS to keep the frames.
    if !runner.changesFrames {
      unsafe gst_base_transform_set_qos_enabled(base.pointer, 0)
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
