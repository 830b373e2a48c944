import CGStreamer

package typealias BufferPointer = UnsafeMutablePointer<GstBuffer>
package typealias CapsPointer = UnsafeMutablePointer<GstCaps>
package typealias EventPointer = UnsafeMutablePointer<GstEvent>
package typealias MetaPointer = UnsafeMutablePointer<GstMeta>

/// What stands behind an element derived from GstVideoFilter: a method for each vfunc.
///
/// A method that a type leaves out does what the base class does. One that it has takes effect only if
/// its bit is among the `ElementType.vfuncs` of the element's type. The GObject owns the object, from
/// its creation to its finalization, and outlives it.
///
/// Threads: properties are set and asked for on any thread; `transformCaps`, `sourceEvent` and events
/// of a flush as well. `changeState`, `start` and `stop` run on the thread that changes the element's
/// state. All others run on the streaming thread.
package protocol ElementObject: AnyObject {
  /// The element as the base class knows it.
  var base: BaseTransform { get }

  /// Takes over the value of a property; GObject has checked its type and range.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>)
  /// Writes the value of a property into a GValue of its type.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>)

  func changeState(_ transition: GstStateChange) -> GstStateChangeReturn
  /// Gets ready for a stream; false, with an error on the bus, when it cannot.
  func start() -> Bool
  /// Gives back what `start` and the stream took.
  func stop()

  /// The caps of the other pad that go with `caps`; the caller owns them.
  func transformCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, filter: CapsPointer?
  ) -> CapsPointer?
  /// Chooses among `other`, which is taken over; the caller owns the result.
  func fixateCaps(
    _ caps: CapsPointer, of direction: GstPadDirection, other: CapsPointer
  ) -> CapsPointer?
  func setCaps(input: CapsPointer, output: CapsPointer) -> Bool
  /// Takes frames of another format from now on; false when they cannot be worked on.
  func setInfo(_ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>) -> Bool

  /// Handles an event from upstream, which is taken over.
  func sinkEvent(_ event: EventPointer) -> Bool
  /// Handles an event from downstream, which is taken over.
  func sourceEvent(_ event: EventPointer) -> Bool

  /// Receives a buffer, which is taken over.
  func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn
  /// Makes a buffer to send out of the one that was submitted; called until it makes none.
  func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn
  /// Decides whether the buffer that comes next is passed through.
  func beforeTransform(_ buffer: BufferPointer)
  /// Finds the buffer to send out: `input` itself, writable, or another.
  func prepareOutputBuffer(
    for input: BufferPointer, _ output: UnsafeMutablePointer<BufferPointer?>
  ) -> GstFlowReturn
  /// Whether a meta of `input` is copied to `output`.
  func transformMeta(_ meta: MetaPointer, of input: BufferPointer, to output: BufferPointer) -> Bool
  func transform(_ input: BufferPointer, into output: BufferPointer) -> GstFlowReturn
  /// Works on a buffer: writable, unless it is passed through.
  func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn

  /// The elements whose properties can be set by way of this one; it owns them.
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

  package func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn {
    unsafe base.submitInputBuffer(buffer, isDiscontinuous: isDiscontinuous)
  }

  package func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn {
    unsafe base.generateOutput(output)
  }

  package func beforeTransform(_ buffer: BufferPointer) {}

  package func prepareOutputBuffer(
    for input: BufferPointer, _ output: UnsafeMutablePointer<BufferPointer?>
  ) -> GstFlowReturn {
    unsafe base.prepareOutputBuffer(for: input, output)
  }

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
