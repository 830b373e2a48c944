// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGStreamer
import CVideoFilterKit

// The functions that the C shim calls, checked by the compiler against their prototypes in
// videofilterkit.h. `object` is the reference that `vfk_object_new` retained for the GObject: valid
// until `vfk_object_free`, which GObject calls last, from finalize. `kind` is the GType's, for
// ever.

private func borrow(_ object: UnsafeMutableRawPointer) -> ElementObject {
  unsafe Unmanaged<ElementObject>.fromOpaque(object).takeUnretainedValue()
}

private func borrow(kind: UnsafeMutableRawPointer) -> ElementKind {
  unsafe Unmanaged<ElementKind>.fromOpaque(kind).takeUnretainedValue()
}

@c @implementation
func vfk_kind_set_up_class(_ kind: UnsafeMutableRawPointer, _ class: OpaquePointer) {
  unsafe borrow(kind: kind).setUpClass(`class`)
}

@c @implementation
func vfk_object_new(
  _ kind: UnsafeMutableRawPointer, _ element: OpaquePointer
) -> UnsafeMutableRawPointer {
  let kind = unsafe borrow(kind: kind)
  let object: ElementObject =
    switch kind.role {
    case .single(let makeRunner):
      unsafe SingleElement(kind, element: element, runner: makeRunner())
    case .switcher(let kinds): unsafe SwitcherElement(kind, element: element, kinds)
    }
  return unsafe Unmanaged.passRetained(object).toOpaque()
}

@c @implementation
func vfk_object_free(_ object: UnsafeMutableRawPointer) {
  unsafe Unmanaged<ElementObject>.fromOpaque(object).release()
}

@c @implementation
func vfk_object_set_property(
  _ object: UnsafeMutableRawPointer, _ id: guint, _ value: UnsafePointer<GValue>
) {
  unsafe borrow(object).set(id, to: value)
}

@c @implementation
func vfk_object_get_property(
  _ object: UnsafeMutableRawPointer, _ id: guint, _ value: UnsafeMutablePointer<GValue>
) {
  unsafe borrow(object).get(id, into: value)
}

@c @implementation
func vfk_object_start(_ object: UnsafeMutableRawPointer) -> gboolean {
  unsafe borrow(object).start() ? 1 : 0
}

@c @implementation
func vfk_object_stop(_ object: UnsafeMutableRawPointer) {
  unsafe borrow(object).stop()
}

@c @implementation
func vfk_object_interrupt(_ object: UnsafeMutableRawPointer) {
  unsafe borrow(object).wait.stop()
}

@c @implementation
func vfk_object_set_flushing(_ object: UnsafeMutableRawPointer, _ isFlushing: gboolean) {
  unsafe borrow(object).wait.setFlushing(isFlushing != 0)
}

@c @implementation
func vfk_object_set_info(
  _ object: UnsafeMutableRawPointer, _ info: UnsafePointer<GstVideoInfo>
) -> gboolean {
  unsafe borrow(object).setInfo(info) ? 1 : 0
}

@c @implementation
func vfk_object_before_transform(
  _ object: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<GstBuffer>
) {
  unsafe borrow(object).beforeTransform(buffer)
}

@c @implementation
func vfk_object_transform(
  _ object: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<GstBuffer>
) -> GstFlowReturn {
  unsafe borrow(object).transform(buffer)
}

@c @implementation
func vfk_object_child_count(_ object: UnsafeMutableRawPointer) -> guint {
  guint(clamping: unsafe borrow(object).children.count)
}

@c @implementation
func vfk_object_child(
  _ object: UnsafeMutableRawPointer, _ index: guint
) -> UnsafeMutablePointer<GstElement>? {
  let children = unsafe borrow(object).children
  return unsafe Int(index) < children.count ? children[Int(index)] : nil
}
