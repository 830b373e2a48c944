import CGStreamer

/// The object behind an element derived from GstVideoFilter: a method for each vfunc.
///
/// The default implementation of a method is the base class's vfunc. Another one takes effect only
/// if its bit is in the `vfuncs` of the element's type. The GObject owns the object, from its
/// creation to its finalization, and outlives it.
///
/// Threads: `setProperty`, `getProperty`, `children`, `transformCaps`, `sourceEvent`, `query` but
/// for an allocation, and `sinkEvent` for a flush run on any thread. `changeState`, `start` and
/// `stop` run on the thread that changes the element's state. All others run on the streaming
/// thread. Pointers are borrowed during the call unless the method states otherwise.
package protocol ElementObject: AnyObject {
  /// The element as the base class knows it.
  var base: BaseTransform { get }

  /// Sets a property, by its number.
  ///
  /// GObject has checked the value's type and range.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>)
  /// Gets a property, by its number, into a GValue of its type.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>)

  func changeState(_ transition: GstStateChange) -> GstStateChangeReturn
  /// Gets ready for a stream.
  ///
  /// Posts an error and returns false if that fails.
  func start() -> Bool
  /// Releases everything that belongs to the stream.
  func stop()

  /// The caps of the other pad that are compatible with `caps`.
  ///
  /// The caller owns them.
  func transformCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, filter: CapsPointer?
  ) -> CapsPointer?
  /// Fixates `other` and takes ownership of it.
  ///
  /// The caller owns the result.
  func fixateCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, other: CapsPointer
  ) -> CapsPointer?
  func setCaps(input: CapsPointer, output: CapsPointer) -> Bool
  /// Sets the format of the following frames.
  ///
  /// Returns false if the format cannot be used.
  func setInfo(_ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>) -> Bool

  /// Handles an event from upstream, and takes ownership of it.
  func sinkEvent(_ event: EventPointer) -> Bool
  /// Handles an event from downstream, and takes ownership of it.
  func sourceEvent(_ event: EventPointer) -> Bool

  /// Answers a query that came to the pad of a direction.
  ///
  /// Returns false if it cannot be answered.
  func query(_ query: QueryPointer, from direction: GstPadDirection) -> Bool

  /// Receives a buffer, and takes ownership of it.
  func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn
  /// Makes an output buffer, which the caller owns, from the submitted one.
  ///
  /// Called until it makes no more buffers.
  func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn
  /// Decides whether the next buffer passes through.
  func beforeTransform(_ buffer: BufferPointer)
  /// Whether a meta of `input` is copied to `output`.
  func transformMeta(_ meta: MetaPointer, of input: BufferPointer, to output: BufferPointer) -> Bool
  /// Processes a buffer into another one.
  func transform(_ input: BufferPointer, into output: BufferPointer) -> GstFlowReturn
  /// Processes a buffer in place: it is writable unless it passes through.
  func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn

  /// The children of the GstChildProxy, which this element owns.
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
