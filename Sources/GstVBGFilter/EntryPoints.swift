// The names are those of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGStreamer
import CVBGFilter

// The functions that the C shim calls, checked by the compiler against their prototypes in
// vbgfilter.h. `object` is the reference that `vbg_object_new` retained for the GObject: valid until
// `vbg_object_free`, which GObject calls last, from finalize.

private func borrow(_ object: UnsafeMutableRawPointer) -> VBGFilterElement {
  unsafe Unmanaged<VBGFilterElement>.fromOpaque(object).takeUnretainedValue()
}

@c @implementation
func vbg_object_new(_ filter: OpaquePointer) -> UnsafeMutableRawPointer {
  unsafe Unmanaged.passRetained(VBGFilterElement(filter: filter)).toOpaque()
}

@c @implementation
func vbg_object_free(_ object: UnsafeMutableRawPointer) {
  unsafe Unmanaged<VBGFilterElement>.fromOpaque(object).release()
}

@c @implementation
func vbg_object_set_property(
  _ object: UnsafeMutableRawPointer, _ property: VBGProperty, _ value: UnsafePointer<GValue>
) {
  unsafe borrow(object).set(property, to: value)
}

@c @implementation
func vbg_object_get_property(
  _ object: UnsafeMutableRawPointer, _ property: VBGProperty,
  _ value: UnsafeMutablePointer<GValue>
) {
  unsafe borrow(object).get(property, into: value)
}

@c @implementation
func vbg_object_start(_ object: UnsafeMutableRawPointer) -> gboolean {
  unsafe borrow(object).start() ? 1 : 0
}

@c @implementation
func vbg_object_stop(_ object: UnsafeMutableRawPointer) {
  unsafe borrow(object).stop()
}

@c @implementation
func vbg_object_interrupt(_ object: UnsafeMutableRawPointer) {
  unsafe borrow(object).interrupt()
}

@c @implementation
func vbg_object_transform_caps(
  _ object: UnsafeMutableRawPointer, _ direction: GstPadDirection,
  _ caps: UnsafeMutablePointer<GstCaps>, _ filter: UnsafeMutablePointer<GstCaps>?
) -> UnsafeMutablePointer<GstCaps>? {
  unsafe borrow(object).transformCaps(caps, of: direction, filter: filter)
}

@c @implementation
func vbg_object_fixate_caps(
  _ object: UnsafeMutableRawPointer, _ direction: GstPadDirection,
  _ caps: UnsafeMutablePointer<GstCaps>, _ other: UnsafeMutablePointer<GstCaps>
) -> UnsafeMutablePointer<GstCaps>? {
  unsafe borrow(object).fixateCaps(caps, of: direction, other: other)
}

@c @implementation
func vbg_object_set_info(
  _ object: UnsafeMutableRawPointer, _ input: UnsafePointer<GstVideoInfo>,
  _ output: UnsafePointer<GstVideoInfo>
) -> gboolean {
  unsafe borrow(object).setInfo(input, output: output) ? 1 : 0
}

@c @implementation
func vbg_object_is_in_place(_ object: UnsafeMutableRawPointer) -> gboolean {
  unsafe borrow(object).isInPlace ? 1 : 0
}

@c @implementation
func vbg_object_take_event(
  _ object: UnsafeMutableRawPointer, _ event: UnsafeMutablePointer<GstEvent>
) -> UnsafeMutablePointer<GstEvent> {
  unsafe borrow(object).take(event)
}

@c @implementation
func vbg_object_see_upstream_event(
  _ object: UnsafeMutableRawPointer, _ event: UnsafeMutablePointer<GstEvent>
) {
  unsafe borrow(object).seeUpstream(event)
}

@c @implementation
func vbg_object_drops(
  _ object: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<GstBuffer>
) -> gboolean {
  unsafe borrow(object).drops(buffer) ? 1 : 0
}

@c @implementation
func vbg_object_note_result(_ object: UnsafeMutableRawPointer, _ flow: GstFlowReturn) {
  unsafe borrow(object).noteResult(flow)
}

@c @implementation
func vbg_object_note_late_drop(_ object: UnsafeMutableRawPointer) {
  unsafe borrow(object).noteLateDrop()
}

@c @implementation
func vbg_object_before_transform(
  _ object: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<GstBuffer>
) {
  unsafe borrow(object).beforeTransform(buffer)
}

@c @implementation
func vbg_object_prepare_buffer(
  _ object: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<GstBuffer>,
  _ input: UnsafeMutablePointer<GstBuffer>
) -> UnsafeMutablePointer<GstBuffer>? {
  unsafe borrow(object).prepare(buffer, from: input)
}

@c @implementation
func vbg_object_transform(
  _ object: UnsafeMutableRawPointer, _ buffer: UnsafeMutablePointer<GstBuffer>,
  _ input: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
  unsafe borrow(object).transform(buffer, from: input)
}

@c @implementation
func vbg_object_carries_meta(
  _ object: UnsafeMutableRawPointer, _ input: UnsafeMutablePointer<GstBuffer>,
  _ meta: UnsafeMutablePointer<GstMeta>
) -> gboolean {
  unsafe borrow(object).carries(meta, of: input) ? 1 : 0
}
