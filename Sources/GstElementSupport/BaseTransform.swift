import CGStreamer
import CGstElement

package typealias BufferPointer = UnsafeMutablePointer<GstBuffer>
package typealias CapsPointer = UnsafeMutablePointer<GstCaps>
package typealias EventPointer = UnsafeMutablePointer<GstEvent>
package typealias MetaPointer = UnsafeMutablePointer<GstMeta>
package typealias QueryPointer = UnsafeMutablePointer<GstQuery>

/// The GstBaseTransform of an element that is derived from GstVideoFilter.
///
/// The GObject must outlive every value of this type. It outlives the Swift object that implements
/// the element. Unless stated otherwise, call a method on the thread on which the vfunc with the
/// same name runs.
@safe public struct BaseTransform {
  // Borrowed.
  package let pointer: UnsafeMutablePointer<GstBaseTransform>
  // Borrowed: the class of the parent type, which is never freed.
  private let parent: UnsafeMutablePointer<GstBaseTransformClass>

  init(_ filter: UnsafeMutablePointer<GstVideoFilter>) {
    unsafe pointer = UnsafeMutableRawPointer(filter).assumingMemoryBound(
      to: GstBaseTransform.self)
    unsafe parent = cgst_element_parent_class()
  }

  package var element: UnsafeMutablePointer<GstElement> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstElement.self)
  }

  package var gstObject: UnsafeMutablePointer<GstObject> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GstObject.self)
  }

  var gObject: UnsafeMutablePointer<GObject> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: GObject.self)
  }

  /// Whether buffers pass through.
  ///
  /// Set it on the streaming thread.
  package var isPassthrough: Bool {
    get { unsafe gst_base_transform_is_passthrough(pointer) != 0 }
    nonmutating set { unsafe gst_base_transform_set_passthrough(pointer, newValue ? 1 : 0) }
  }

  /// Returns the presentation time of a buffer in nanoseconds, or nil if the time is missing.
  package func presentationTime(of buffer: BufferPointer) -> UInt64? {
    unsafe Self.time(buffer.pointee.pts)
  }

  /// Returns a time in nanoseconds, or nil for GST_CLOCK_TIME_NONE, which Swift does not import.
  private static func time(_ time: GstClockTime) -> UInt64? {
    time == .max ? nil : UInt64(time)
  }

  /// Returns the stream time of a presentation time, both in nanoseconds.
  ///
  /// Returns nil if `time` is nil or outside the segment, or if the segment's format is not time.
  /// For such a format GStreamer would log a critical warning.
  package func streamTime(at time: UInt64?) -> UInt64? {
    guard let time, unsafe pointer.pointee.segment.format == GST_FORMAT_TIME else { return nil }
    return unsafe Self.time(
      gst_segment_to_stream_time(&pointer.pointee.segment, GST_FORMAT_TIME, guint64(time)))
  }

  /// Returns the running time of a presentation time, both in nanoseconds.
  ///
  /// Returns nil in the same cases as `streamTime(at:)`.
  package func runningTime(at time: UInt64?) -> UInt64? {
    guard let time, unsafe pointer.pointee.segment.format == GST_FORMAT_TIME else { return nil }
    return unsafe Self.time(
      gst_segment_to_running_time(&pointer.pointee.segment, GST_FORMAT_TIME, guint64(time)))
  }

  /// Updates the element's controlled properties to a stream time, in nanoseconds.
  ///
  /// Does nothing for nil.
  package func syncControlledProperties(atStreamTime time: UInt64?) {
    if let time { unsafe Self.syncControlledProperties(of: gstObject, atStreamTime: time) }
  }

  /// Updates an object's controlled properties to a stream time, in nanoseconds.
  ///
  /// Safety: `object` must be alive during the call.
  package static func syncControlledProperties(
    of object: UnsafeMutablePointer<GstObject>, atStreamTime time: UInt64
  ) {
    if unsafe gst_object_has_active_control_bindings(object) != 0 {
      unsafe gst_object_sync_values(object, GstClockTime(time))
    }
  }

  // MARK: - The vfuncs of the base class

  package func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    unsafe parent.pointee.parent_class.change_state?(element, transition)
      ?? GST_STATE_CHANGE_FAILURE
  }

  package func setCaps(input: CapsPointer, output: CapsPointer) -> Bool {
    unsafe parent.pointee.set_caps?(pointer, input, output) == 1
  }

  package func sinkEvent(_ event: EventPointer) -> Bool {
    unsafe parent.pointee.sink_event?(pointer, event) == 1
  }

  package func sourceEvent(_ event: EventPointer) -> Bool {
    unsafe parent.pointee.src_event?(pointer, event) == 1
  }

  package func query(_ query: QueryPointer, from direction: GstPadDirection) -> Bool {
    unsafe parent.pointee.query?(pointer, direction, query) == 1
  }

  package func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn {
    unsafe parent.pointee.submit_input_buffer?(pointer, isDiscontinuous ? 1 : 0, buffer)
      ?? GST_FLOW_ERROR
  }

  package func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn {
    unsafe parent.pointee.generate_output?(pointer, output) ?? GST_FLOW_ERROR
  }

  package func prepareOutputBuffer(
    for input: BufferPointer, _ output: UnsafeMutablePointer<BufferPointer?>
  ) -> GstFlowReturn {
    unsafe parent.pointee.prepare_output_buffer?(pointer, input, output) ?? GST_FLOW_ERROR
  }

  /// Copies timestamps, flags and metas from one buffer to another.
  package func copyMetadata(from input: BufferPointer, to output: BufferPointer) {
    _ = unsafe parent.pointee.copy_metadata?(pointer, input, output)
  }
}
