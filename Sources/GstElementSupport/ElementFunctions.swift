import CGStreamer
import CGstElement

/// What the C class calls; one table for all types, which lasts for ever.
///
/// `object` is the reference that `instance_init` retained for the GObject: valid until `finalize`, which
/// GObject calls last. `kind` is the `ElementType`, which is never given back.
nonisolated(unsafe) let elementFunctions: UnsafePointer<CGstElementFunctions> = {
  let table = UnsafeMutablePointer<CGstElementFunctions>.allocate(capacity: 1)
  unsafe table.initialize(
    to: CGstElementFunctions(
      class_init: { unsafe elementType($0).setUpClass($1) },
      instance_init: { kind, filter in
        let object = unsafe elementType(kind).make(BaseTransform(filter))
        return unsafe Unmanaged.passRetained(ObjectHolder(object)).toOpaque()
      },
      finalize: { unsafe Unmanaged<ObjectHolder>.fromOpaque($0).release() },
      set_property: { unsafe elementObject($0).setProperty($1, to: $2) },
      get_property: { unsafe elementObject($0).getProperty($1, into: $2) },
      change_state: { unsafe elementObject($0).changeState($1) },
      start: { unsafe elementObject($0).start() ? 1 : 0 },
      stop: { unsafe elementObject($0).stop() },
      transform_caps: { unsafe elementObject($0).transformCaps($2, of: $1, filter: $3) },
      fixate_caps: { unsafe elementObject($0).fixateCaps($2, of: $1, other: $3) },
      set_caps: { unsafe elementObject($0).setCaps(input: $1, output: $2) ? 1 : 0 },
      set_info: { unsafe elementObject($0).setInfo($1, output: $2) ? 1 : 0 },
      sink_event: { unsafe elementObject($0).sinkEvent($1) ? 1 : 0 },
      src_event: { unsafe elementObject($0).sourceEvent($1) ? 1 : 0 },
      submit_input_buffer: {
        unsafe elementObject($0).submitInputBuffer($2, isDiscontinuous: $1 != 0)
      },
      generate_output: { unsafe elementObject($0).generateOutput($1) },
      before_transform: { unsafe elementObject($0).beforeTransform($1) },
      prepare_output_buffer: { unsafe elementObject($0).prepareOutputBuffer(for: $1, $2) },
      transform_meta: { unsafe elementObject($0).transformMeta($2, of: $3, to: $1) ? 1 : 0 },
      transform: { unsafe elementObject($0).transform($1, into: $2) },
      transform_ip: { unsafe elementObject($0).transformInPlace($1) },
      child_count: { guint(clamping: unsafe elementObject($0).children.count) },
      child: { object, index in
        let children = unsafe elementObject(object).children
        return unsafe Int(index) < children.count ? children[Int(index)] : nil
      }))
  return unsafe UnsafePointer(table)
}()

/// What a GObject owns: a class reference, which fits into a C pointer.
private final class ObjectHolder {
  let object: any ElementObject

  init(_ object: any ElementObject) {
    self.object = object
  }
}

/// The object that a GObject owns.
func elementObject(_ object: UnsafeMutableRawPointer) -> any ElementObject {
  unsafe Unmanaged<ObjectHolder>.fromOpaque(object).takeUnretainedValue().object
}

private func elementType(_ kind: UnsafeMutableRawPointer) -> ElementType {
  unsafe Unmanaged<ElementType>.fromOpaque(kind).takeUnretainedValue()
}
