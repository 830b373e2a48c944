import CGStreamer
import GstElementSupport

/// What stands behind an element: the filters and analyzers at work in it, and the way of its
/// frames.
///
/// The GObject owns it. Properties and `wait` serve any thread; the rest belongs to the streaming
/// thread, or to the one that changes the element's state while nothing streams.
@safe class FilterElement: ElementObject {
  let base: BaseTransform
  let bus: ElementBus
  /// The element's name in pipelines.
  let id: String
  /// Where frames wait until those at work are set up.
  let wait = StreamWait()
  /// Those at work, in their order.
  final var chain: [Runner] = []
  /// The negotiated stream; nil when there is none.
  private(set) final var stream: VideoStream?
  private var mapping: VideoFrameMapping?
  /// Whether one at work could not be set up for the negotiated stream.
  private var hasFailed = false
  /// Whether the buffer that is worked on had to wait, and was not let.
  private var isInterrupted = false
  /// Whether frames go through the element itself.
  ///
  /// Not through the child of another, whose runner the other uses. Set before anybody else knows
  /// the element.
  final var takesFrames = true
  private var warnings = WarningGate()

  /// Makes the object behind an element.
  init(_ base: BaseTransform, _ id: String, _ category: DebugCategory) {
    self.base = base
    self.id = id
    bus = ElementBus(base, category: category)
  }

  /// The object behind an element; nil for one of another library.
  ///
  /// Safety: `element` lives during the call.
  static func behind(_ element: UnsafeMutablePointer<GstElement>) -> FilterElement? {
    unsafe ElementType.object(behind: element) as? FilterElement
  }

  // What kinds of elements do in their own way.

  /// Takes over the value of a property.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {}
  /// Writes the value of a property.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {}
  /// The elements whose properties can be set by way of this one.
  var children: [UnsafeMutablePointer<GstElement>] { unsafe [] }
  /// Brings `chain` to what is wanted by now, between two frames.
  func updateChain() {}
  /// Whether the element works on frames at all.
  var isActive: Bool { true }
  /// Brings controlled properties to a stream time.
  func syncValues(atStreamTime time: UInt64) {
    base.syncControlledProperties(atStreamTime: time)
  }

  /// Checks whether a stream can begin; false, with an error on the bus, when it cannot.
  func canStart() -> Bool { true }

  final func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    // Before the pads are taken out of service, for which the streaming thread is waited for.
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

  /// Gets ready for a stream; false, with an error on the bus, when it cannot.
  final func start() -> Bool {
    wait.begin()
    return canStart()
  }

  /// Gives back what the stream took.
  final func stop() {
    guard takesFrames else { return }
    forgetRunners()
    stream = nil
    mapping = nil
    warnings = WarningGate()
    hasFailed = false
  }

  /// Brings all runners back to their beginnings.
  func forgetRunners() {
    for runner in chain { runner.reset() }
  }

  /// Takes frames of another format from now on; false, with an error on the bus, when it cannot.
  final func setInfo(
    _ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>
  ) -> Bool {
    guard let stream = unsafe VideoStream(input) else {
      bus.log(GST_LEVEL_ERROR, "cannot work on several views or fields in one buffer")
      return false
    }
    self.stream = stream
    mapping = unsafe VideoFrameMapping(info: input, stream: stream)
    bus.log(GST_LEVEL_INFO, "frames are \(stream)")
    hasFailed = false
    setUpChain(for: stream)
    return true
  }

  /// Begins to set up those that are to work on a new stream; its first frame waits for them.
  func setUpChain(for stream: VideoStream) {
    for runner in chain { runner.getReady(for: stream, bus, waking: wait) }
  }

  /// Gets ready for the buffer that comes next, and decides whether it passes through unchanged.
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

  /// Waits until those that change frames are set up; false when it was not let, or when one of those
  /// at work cannot be, which is told.
  private func waitForChain() -> Bool {
    for runner in chain {
      while !runner.isSettled(), runner.changesFrames {
        guard wait.wait(until: { runner.isSetUpOver }) else { return false }
      }
    }
    for runner in chain {
      guard let failure = runner.failure else { continue }
      // Refused caps would be offered again and again: the frame ends the stream.
      hasFailed = true
      // Whoever is told may stop the element on this very thread: nothing is held meanwhile.
      bus.postError(.resource(GST_RESOURCE_ERROR_FAILED, runner.complaint(failure)))
      return false
    }
    return true
  }

  /// Works on a buffer: writable, unless it passes through.
  final func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn {
    if hasFailed { return GST_FLOW_ERROR }
    if isInterrupted { return GST_FLOW_FLUSHING }
    let time = unsafe VideoFrameMapping.timestamp(of: buffer)
    guard isActive, chain.contains(where: { $0.wantsFrame(at: time) }) else { return GST_FLOW_OK }
    guard let mapping else { return GST_FLOW_NOT_NEGOTIATED }
    let fate = unsafe mapping.withFrame(in: buffer, isWritable: !base.isPassthrough) { frame in
      for runner in chain where runner.wantsFrame(at: time) {
        if runner.run(&frame, bus) == .isDropped { return Runner.FrameFate.isDropped }
      }
      return .goesOn
    }
    switch fate ?? fateOfUnusableFrame() {
    case .goesOn: return GST_FLOW_OK
    case .isDropped: return CGST_FLOW_DROPPED
    }
  }

  private func fateOfUnusableFrame() -> Runner.FrameFate {
    // Whoever is told may stop the element on this very thread: nothing is held meanwhile.
    let warning = warnings.admit(
      "\(id): the memory of a frame cannot be used as one of the negotiated "
        + "format")
    if let warning { bus.postWarning(.stream(warning)) }
    return chain.contains { $0.isActive && $0.fateOfUnusableFrame == .isDropped }
      ? .isDropped : .goesOn
  }
}
