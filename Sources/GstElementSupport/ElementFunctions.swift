import CGStreamer
import CGstElement

/// The functions that the C class installs: one table for all types, never changed or freed.
///
/// An element owns its Swift object from `instance_init` to `finalize`, the last call. `kind` is
/// the `ElementType`, which is never freed.
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
      set_property: { element, id, value, _ in unsafe object(element).setProperty(id, to: value) },
      get_property: { element, id, value, _ in unsafe object(element).getProperty(id, into: value)
      },
      change_state: { unsafe object($0).changeState($1) },
      start: { unsafe object($0).start() ? 1 : 0 },
      stop: { element in
        unsafe object(element).stop()
        return 1
      },
      transform_caps: { unsafe object($0).transformCaps($2, of: $1, filter: $3) },
      fixate_caps: { unsafe object($0).fixateCaps($2, of: $1, other: $3) },
      set_caps: { unsafe object($0).setCaps(input: $1, output: $2) ? 1 : 0 },
      set_info: { element, _, input, _, output in
        unsafe object(element).setInfo(input, output: output) ? 1 : 0
      },
      sink_event: { unsafe object($0).sinkEvent($1) ? 1 : 0 },
      src_event: { unsafe object($0).sourceEvent($1) ? 1 : 0 },
      query: { unsafe object($0).query($2, from: $1) ? 1 : 0 },
      submit_input_buffer: { unsafe object($0).submitInputBuffer($2, isDiscontinuous: $1 != 0) },
      generate_output: { unsafe object($0).generateOutput($1) },
      before_transform: { unsafe object($0).beforeTransform($1) },
      transform_meta: { unsafe object($0).transformMeta($2, of: $3, to: $1) ? 1 : 0 },
      transform: { unsafe object($0).transform($1, into: $2) },
      transform_ip: { unsafe object($0).transformInPlace($1) },
      get_children_count: { guint(unsafe object(UnsafeMutableRawPointer($0)).children.count) },
      get_child_by_index: { element, index in
        let children = unsafe object(UnsafeMutableRawPointer(element)).children
        guard unsafe Int(index) < children.count else { return nil }
        return unsafe gst_object_ref(children[Int(index)])?.assumingMemoryBound(to: GObject.self)
      }))
  return unsafe UnsafePointer(table)
}()

/// Wraps an element's Swift object, because an existential does not fit into a C pointer.
private final class ObjectHolder {
  let object: any ElementObject

  init(_ object: any ElementObject) {
    self.object = object
  }
}

/// Returns the Swift object of an element.
///
/// Safety: an `ElementType` must have registered the type of `element`, and `element` must be alive
/// during the call.
func object(_ element: UnsafeMutableRawPointer) -> any ElementObject {
  let holder = unsafe cgst_element_get_object(element)
  return unsafe Unmanaged<ObjectHolder>.fromOpaque(holder).takeUnretainedValue().object
}

private func elementType(_ kind: UnsafeMutableRawPointer) -> ElementType {
  unsafe Unmanaged<ElementType>.fromOpaque(kind).takeUnretainedValue()
}
