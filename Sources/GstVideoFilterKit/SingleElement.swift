import CGStreamer
import CVideoFilterKit

/// An element that runs one filter or analyzer.
final class SingleElement: ElementObject {
  let runner: Runner

  init(_ kind: ElementKind, element: OpaquePointer, runner: Runner) {
    self.runner = runner
    unsafe super.init(kind, element: element)
    chain = [runner]
    // Late frames are dropped to save the work on them, and here is none.
    if !runner.changesFrames {
      unsafe gst_base_transform_set_qos_enabled(vfk_base_transform(element), 0)
    }
  }

  override func canStart() -> Bool {
    if !takesFrames {
      bus.log(GST_LEVEL_ERROR, "a child takes no frames: those of its parent go through it")
    }
    return takesFrames
  }

  override func set(_ property: UInt32, to value: UnsafePointer<GValue>) {
    runner.settings.withLock { settings in
      if property == ElementProperty.active {
        settings.isActive = unsafe g_value_get_boolean(value) != 0
        return
      }
      let index = Int(property) - Int(ElementProperty.first)
      guard settings.values.indices.contains(index) else { return }
      if unsafe settings.values[index].take(value) { settings.version &+= 1 }
    }
  }

  override func get(_ property: UInt32, into value: UnsafeMutablePointer<GValue>) {
    runner.settings.withLock { settings in
      if property == ElementProperty.active {
        unsafe g_value_set_boolean(value, settings.isActive ? 1 : 0)
        return
      }
      let index = Int(property) - Int(ElementProperty.first)
      guard settings.values.indices.contains(index) else { return }
      unsafe settings.values[index].put(into: value)
    }
  }
}
