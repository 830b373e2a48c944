import CGStreamer
import CGstElement
import GStreamerVideo
import GstElementSupport
import Threads

/// The object behind an element: runs filters and analyzers on its frames.
///
/// The GObject owns this object. GObject properties and `wait` may be used on any thread. All other
/// members are used on the streaming thread, or, while nothing streams, on the thread that changes
/// the element's state.
@safe class FilterElement: ElementObject {
  /// The element's name in pipelines.
  let id: String
  /// The wait of the streaming thread until the chain is set up.
  let wait = StreamWait()
  /// The runner of the element's filter or analyzer, or nil for a switcher.
  final let runner: Runner?
  /// The runners of the filters and analyzers that process each frame, in this order.
  final var chain: [Runner] = []
  /// The negotiated stream, or nil if there is no stream yet.
  private(set) final var stream: VideoStream?
  private var mapping: BufferMapping?
  /// Whether a runner of the chain could not be set up for the negotiated stream.
  private var hasFailed = false
  /// Whether the wait for the chain was interrupted before the current buffer.
  private var isInterrupted = false
  /// Whether this element processes frames itself.
  ///
  /// It is false for the child of a switcher: the switcher uses the child's runner. It must be set
  /// before another thread can access the element.
  final var takesFrames = true
  private var warnings = WarningGate()

  /// Creates the object of an element that runs one filter or analyzer.
  ///
  /// Subclasses without a runner of their own put others in the chain.
  init(_ base: BaseTransform, _ id: String, _ category: DebugCategory, _ runner: Runner?) {
    self.id = id
    self.runner = runner
    super.init(base, category: category)
    guard let runner else { return }
    chain = [runner]
    // With QoS, late frames are dropped to save work. An analyzer does little work on the streaming
    // thread, so disable QoS to keep the frames.
    if !runner.changesFrames { unsafe gst_base_transform_set_qos_enabled(base.pointer, 0) }
  }

  /// Returns the vfuncs that the elements override.
  ///
  /// `seesPassthrough` means that `transformInPlace` also receives buffers that pass through.
  static func vfuncs(seesPassthrough: Bool) -> CGstElementFunctions {
    var vfuncs = CGstElementFunctions()
    vfuncs.sees_passthrough = seesPassthrough ? 1 : 0
    unsafe vfuncs.change_state = { unsafe filterElement($0).changeState($1) }
    unsafe vfuncs.start = { unsafe filterElement($0).start() ? 1 : 0 }
    unsafe vfuncs.stop = { element in
      unsafe filterElement(element).stop()
      return 1
    }
    unsafe vfuncs.set_info = { element, _, input, _, output in
      unsafe filterElement(element).setInfo(input, output: output) ? 1 : 0
    }
    unsafe vfuncs.sink_event = { unsafe filterElement($0).sinkEvent($1) ? 1 : 0 }
    unsafe vfuncs.before_transform = { unsafe filterElement($0).beforeTransform($1) }
    unsafe vfuncs.transform_ip = { unsafe filterElement($0).transformInPlace($1) }
    return vfuncs
  }

  // The switcher overrides the following members.

  override func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    guard let runner else { return }
    unsafe runner.declaration.properties.set(id, to: value) { runner.settings.withLock($0) }
  }

  override func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    guard let runner else { return }
    _ = unsafe runner.declaration.properties.get(id, of: runner.settings.current, into: value)
  }

  /// The child elements that GstChildProxy reports, which this element owns.
  var children: [UnsafeMutablePointer<GstElement>] { unsafe [] }
  /// Updates `chain` between two frames.
  func updateChain() {}
  /// Whether the element may change or analyze the current frame.
  var isActive: Bool { true }
  /// Sets the controlled properties to their values at a stream time, in nanoseconds.
  func syncValues(atStreamTime time: UInt64) {
    base.syncControlledProperties(atStreamTime: time)
  }

  /// Returns whether a stream can begin.
  ///
  /// Reports the reason if it cannot.
  func canStart() -> Bool {
    if !takesFrames {
      bus.log(
        GST_LEVEL_ERROR,
        "the child of a switcher cannot be used in a pipeline itself: use the switcher")
    }
    return takesFrames
  }

  final func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    // Stop the wait before the base class deactivates the pads, which waits for the streaming
    // thread.
    if transition == GST_STATE_CHANGE_PAUSED_TO_READY { wait.stop() }
    return base.changeState(transition)
  }

  final func sinkEvent(_ event: EventPointer) -> Bool {
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_FLUSH_START: wait.setFlushing(true)
    case GST_EVENT_FLUSH_STOP: wait.setFlushing(false)
    default: break
    }
    return unsafe base.sinkEvent(event)
  }

  /// Prepares for a stream.
  ///
  /// Returns false if the stream cannot begin.
  final func start() -> Bool {
    wait.begin()
    return canStart()
  }

  /// Releases everything that belongs to the stream.
  final func stop() {
    guard takesFrames else { return }
    resetRunners()
    stream = nil
    mapping = nil
    warnings = WarningGate()
    hasFailed = false
  }

  /// Resets all runners after the stream has ended.
  func resetRunners() { for runner in chain { runner.reset() } }

  /// Sets the format of the following frames.
  ///
  /// Returns false if the format cannot be used.
  final func setInfo(
    _ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>
  ) -> Bool {
    guard let stream = unsafe VideoStream(input) else {
      bus.log(GST_LEVEL_ERROR, "multiview video and separate fields are not supported")
      return false
    }
    self.stream = stream
    mapping = unsafe BufferMapping(info: input, format: stream.format.samples)
    bus.log(GST_LEVEL_INFO, "frames are \(stream)")
    hasFailed = false
    setUpChain(for: stream)
    return true
  }

  /// Begins to set up the runners of the chain for a new stream.
  ///
  /// The first frame waits until the runners that change frames are set up.
  func setUpChain(for stream: VideoStream) {
    for runner in chain { runner.getReady(for: stream, waking: wait) }
  }

  /// Updates the settings for the next buffer, and decides whether the buffer is passed through.
  final func beforeTransform(_ buffer: BufferPointer) {
    let time = unsafe base.streamTime(at: base.presentationTime(of: buffer))
    if let time { syncValues(atStreamTime: time) }
    if !hasFailed { updateChain() }
    isInterrupted = !hasFailed && !waitForChain()
    for runner in chain { runner.takeSettings() }
    let passes =
      !hasFailed && !isInterrupted
      && (!isActive || !chain.contains { $0.isActive && $0.changesFrames })
    if base.isPassthrough != passes {
      bus.log(GST_LEVEL_DEBUG, passes ? "letting frames through" : "working on frames")
      base.isPassthrough = passes
    }
  }

  /// Waits until the runners that change frames are set up.
  ///
  /// Returns false if the wait was interrupted. If a runner failed, posts an error and returns
  /// false.
  private func waitForChain() -> Bool {
    for runner in chain {
      while !runner.isSettled(), runner.changesFrames {
        guard wait.wait(until: { runner.isSetUpOver }) else { return false }
      }
    }
    for runner in chain {
      guard let failure = runner.failure else { continue }
      // End the stream at this frame. If the caps were refused instead, upstream would offer them
      // again and again.
      hasFailed = true
      // No lock may be held here, because a handler of the message may stop the element.
      bus.postError(.resource(GST_RESOURCE_ERROR_FAILED, runner.declaration.complaint(failure)))
      return false
    }
    return true
  }

  /// Runs the chain on a buffer, which is writable unless the element is in passthrough mode.
  final func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn {
    if hasFailed { return GST_FLOW_ERROR }
    if isInterrupted { return GST_FLOW_FLUSHING }
    let time = unsafe base.presentationTime(of: buffer).map {
      Duration.nanoseconds(Int64(clamping: $0))
    }
    guard isActive, chain.contains(where: { $0.wantsFrame(at: time) }) else { return GST_FLOW_OK }
    guard let mapping, let stream else { return GST_FLOW_NOT_NEGOTIATED }
    guard unsafe mapping.map(buffer, isWritten: !base.isPassthrough), let picture = mapping.picture
    else { return flowOfUnusableFrame() }
    defer { mapping.unmap() }
    var frame = unsafe VideoFrame(picture, of: stream, at: time)
    for runner in chain where runner.wantsFrame(at: time) {
      if !runner.worker.run(&frame, bus) { return CGST_FLOW_DROPPED }
    }
    return GST_FLOW_OK
  }

  private func flowOfUnusableFrame() -> GstFlowReturn {
    // No lock may be held here, because a handler of the message may stop the element.
    let warning = warnings.admit(
      "\(id): the memory of a frame does not fit the negotiated format")
    if let warning { bus.postWarning(.stream(warning)) }
    let isSent = chain.allSatisfy { !$0.isActive || $0.worker.sendsUnusableFrames }
    return isSent ? GST_FLOW_OK : CGST_FLOW_DROPPED
  }
}

/// Returns the object of an element, for the vfuncs.
///
/// Safety: `element` must be alive during the call, and an element of this library.
func filterElement(_ element: UnsafeMutableRawPointer) -> FilterElement {
  unsafe FilterElement.of(element)
}
