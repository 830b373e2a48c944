import CGStreamer

/// The Swift object that implements an element derived from GstVideoFilter.
///
/// It has a method for each vfunc.
///
/// By default a method calls the base class's vfunc. GStreamer calls another implementation only if
/// the method's bit is set in the `vfuncs` of the `ElementType`.
///
/// The GObject owns this object from `instance_init` to `finalize`, and outlives it.
///
/// Unless a method states otherwise, it borrows its pointer arguments for the call.
///
/// Threads:
/// - `setProperty`, `getProperty`, `children`, `transformCaps` and `sourceEvent` run on any thread.
///   So do `query`, except for allocation queries, and `sinkEvent` for flush events.
/// - `changeState`, `start` and `stop` run on the thread that changes the element's state.
/// - All other methods run on the streaming thread.
package protocol ElementObject: AnyObject {
  /// The element's GstBaseTransform.
  var base: BaseTransform { get }

  /// Sets the property with a GObject property ID.
  ///
  /// GObject has checked the type and the range of `value`.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>)
  /// Copies the property with a GObject property ID into a GValue of the property's type.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>)

  /// Performs a state change and returns its result.
  func changeState(_ transition: GstStateChange) -> GstStateChangeReturn
  /// Prepares the element for a stream.
  ///
  /// Returns true on success. Otherwise it posts an error and returns false.
  func start() -> Bool
  /// Releases everything that belongs to the stream.
  func stop()

  /// Returns the caps of the opposite pad that are compatible with `caps`, or nil on failure.
  ///
  /// `caps` are caps of the pad with `direction`. If there is a `filter`, the result contains only
  /// caps that the filter allows. The caller owns the result.
  func transformCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, filter: CapsPointer?
  ) -> CapsPointer?
  /// Fixates `other`, caps of the opposite pad, for the fixed `caps` of the pad with `direction`.
  ///
  /// Takes ownership of `other`. The caller owns the result, which is nil on failure.
  func fixateCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, other: CapsPointer
  ) -> CapsPointer?
  /// Sets the caps of both pads, and returns whether the element accepts them.
  func setCaps(input: CapsPointer, output: CapsPointer) -> Bool
  /// Sets the format of the following input and output frames.
  ///
  /// Returns whether the element can process these formats.
  func setInfo(_ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>) -> Bool

  /// Handles an event from upstream, takes ownership of it, and returns whether that succeeded.
  func sinkEvent(_ event: EventPointer) -> Bool
  /// Handles an event from downstream, takes ownership of it, and returns whether that succeeded.
  func sourceEvent(_ event: EventPointer) -> Bool

  /// Answers a query that arrived at the pad with `direction`.
  ///
  /// Returns whether the query was answered.
  func query(_ query: QueryPointer, from direction: GstPadDirection) -> Bool

  /// Receives an input buffer, and takes ownership of it.
  func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn
  /// Stores the next output buffer of the submitted input in `output`.
  ///
  /// Leaves `output` nil if there are no more buffers. Until then the base class calls again. The
  /// caller owns the buffer.
  func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn
  /// Prepares the transform of `buffer`, for example by switching passthrough on or off.
  func beforeTransform(_ buffer: BufferPointer)
  /// Returns whether the base class copies `meta` from `input` to `output`.
  func transformMeta(_ meta: MetaPointer, of input: BufferPointer, to output: BufferPointer) -> Bool
  /// Processes `input` and writes the result into `output`.
  func transform(_ input: BufferPointer, into output: BufferPointer) -> GstFlowReturn
  /// Processes a buffer in place.
  ///
  /// The buffer is writable unless the element is in passthrough mode.
  func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn

  /// The elements that the GstChildProxy interface exposes. This element owns them.
  var children: [UnsafeMutablePointer<GstElement>] { get }
}

extension ElementObject {
  package func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    base.changeState(transition)
  }

  package func start() -> Bool { true }
  package func stop() {}

  package func transformCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, filter: CapsPointer?
  ) -> CapsPointer? {
    unsafe base.transformCaps(caps, of: direction, filter: filter)
  }

  package func fixateCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, other: CapsPointer
  ) -> CapsPointer? {
    unsafe base.fixateCaps(caps, of: direction, other: other)
  }

  package func setCaps(input: CapsPointer, output: CapsPointer) -> Bool {
    unsafe base.setCaps(input: input, output: output)
  }

  package func sinkEvent(_ event: EventPointer) -> Bool { unsafe base.sinkEvent(event) }
  package func sourceEvent(_ event: EventPointer) -> Bool { unsafe base.sourceEvent(event) }

  package func query(_ query: QueryPointer, from direction: GstPadDirection) -> Bool {
    unsafe base.query(query, from: direction)
  }

  package func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn {
    unsafe base.submitInputBuffer(buffer, isDiscontinuous: isDiscontinuous)
  }

  package func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn {
    unsafe base.generateOutput(output)
  }

  package func beforeTransform(_ buffer: BufferPointer) {}

  package func transformMeta(
    _ meta: MetaPointer, of input: BufferPointer, to output: BufferPointer
  ) -> Bool {
    unsafe base.transformMeta(meta, of: input, to: output)
  }

  package func transform(_ input: BufferPointer, into output: BufferPointer) -> GstFlowReturn {
    GST_FLOW_NOT_SUPPORTED
  }

  package func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn { GST_FLOW_NOT_SUPPORTED }

  package var children: [UnsafeMutablePointer<GstElement>] { unsafe [] }
}
