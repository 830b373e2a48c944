import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes
import VirtualBackground

// The way of a buffer, on the streaming thread: `beforeTransform` takes the settings and decides
// whether it is let through; `generateOutput` leaves it out, or has `prepare` map it and `transform`
// hide the room in it. All see the same settings.

extension VBGFilterElement {
  func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn {
    let flow = unsafe base.submitInputBuffer(buffer, isDiscontinuous: isDiscontinuous)
    if flow == CGST_FLOW_DROPPED { noteLateDrop() }
    return flow
  }

  func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn {
    // Asked once more after each frame.
    guard let queued = unsafe base.pointer.pointee.queued_buf else { return GST_FLOW_OK }
    if unsafe drops(queued) {
      unsafe base.pointer.pointee.queued_buf = nil
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(queued)))
      noteResult(CGST_FLOW_DROPPED)
      // Nobody misses it, so the next one is not marked as discontinuous, as it would be after
      // CGST_FLOW_DROPPED.
      return GST_FLOW_OK
    }
    let flow = unsafe base.generateOutput(output)
    noteResult(flow)
    return flow
  }

  func prepareOutputBuffer(
    for input: BufferPointer, _ output: UnsafeMutablePointer<BufferPointer?>
  ) -> GstFlowReturn {
    let flow = unsafe base.prepareOutputBuffer(for: input, output)
    guard flow == GST_FLOW_OK, let offered = unsafe output.pointee, !base.isPassthrough else {
      return flow
    }
    let prepared = unsafe prepare(offered, from: input)
    if unsafe prepared == offered { return GST_FLOW_OK }
    if let prepared = unsafe prepared { unsafe base.copyMetadata(from: offered, to: prepared) }
    if unsafe offered != input {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(offered)))
    }
    unsafe output.pointee = prepared
    return unsafe prepared == nil ? GST_FLOW_ERROR : GST_FLOW_OK
  }

  func transformInPlace(_ buffer: BufferPointer) -> GstFlowReturn {
    unsafe transform(buffer, from: nil)
  }

  func transform(_ input: BufferPointer, into output: BufferPointer) -> GstFlowReturn {
    unsafe transform(output, from: input)
  }

  /// Takes the settings for the buffer that comes next, and lets it through if the user asked so.
  func beforeTransform(_ buffer: BufferPointer) {
    guard let state else { return }
    let time = unsafe base.presentationTime(of: buffer)
    base.syncControlledProperties(atStreamTime: base.streamTime(at: time))
    state.settings = settings.current
    state.runningTime = base.runningTime(at: time)
    state.statistics.framesIn += 1
    state.noteTime(
      time, isDiscontinuous: unsafe cgst_buffer_has_flag(buffer, GST_BUFFER_FLAG_DISCONT) != 0)
    let isNeutral = state.settings.isNeutral
    if isNeutral {
      state.enterPassthrough()
      state.plan = .infer
    }
    unsafe state.stickyPictures.show(!state.settings.hidesRoom) {
      // Stored by the pad, whatever downstream says to it.
      _ = unsafe gst_pad_push_event(base.pointer.pointee.srcpad, $0)
    }
    if let aim = state.aim, aim != NegotiationAim(state.settings) {
      // Before this very buffer is worked on.
      unsafe gst_base_transform_reconfigure_src(base.pointer)
    }
    // A frame that goes out in another format is converted, whatever is to be seen.
    let passes = isNeutral && state.output == nil
    if base.isPassthrough != passes {
      bus.log(GST_LEVEL_DEBUG, passes ? "letting frames through" : "hiding the room")
      base.isPassthrough = passes
    }
  }

  /// Maps the writable buffer that is to go out, or puts another in its place when it cannot be used,
  /// when others use its memory, or when it leads to more of the room than its picture shows; and
  /// `input`, where that is another one in another format.
  ///
  /// Returns the buffer to send out: the same, another that the caller owns, or nil when there is
  /// no memory.
  func prepare(_ buffer: BufferPointer, from input: BufferPointer? = nil) -> BufferPointer? {
    // Without caps there is nothing to map; `transform` says so.
    guard let state, let mapping = state.mapping else { return unsafe buffer }
    if state.plan == .repeatFrame, let last = unsafe state.lastResult.makeCopy() {
      return unsafe last
    }
    // Without memory for a copy the frame is worked on.
    if state.plan == .repeatFrame { state.plan = .reuseMatte }
    guard let output = state.output else {
      // To map memory that is shared is to copy it, into memory that is made anew for each frame.
      let isOwn = unsafe gst_buffer_is_all_memory_writable(buffer) != 0
      let maySend = unsafe !state.settings.hidesRoom || state.frameMetas.maySendAll(of: buffer)
      state.pixelsAreValid = unsafe isOwn && maySend && mapping.map(buffer)
      if state.pixelsAreValid { return unsafe buffer }
      return unsafe replacement(mapping.buffers) { fresh in
        guard let hasPicture = unsafe mapping.map(fresh, withPictureOf: buffer) else {
          return false
        }
        state.pixelsAreValid = hasPicture
        return true
      }
    }
    state.pixelsAreValid = unsafe input.map { unsafe mapping.map($0, isWritten: false) } ?? false
    if unsafe output.map(buffer, isWritten: true, paintsRest: true) { return unsafe buffer }
    return unsafe replacement(output) { unsafe output.map($0, isWritten: true, paintsRest: true) }
  }

  /// Fresh memory instead of a buffer that cannot go out; nil when there is none.
  private func replacement(
    _ buffers: BufferMapping, map: (BufferPointer) -> Bool
  ) -> BufferPointer? {
    // If it has no picture, `transform` warns of it, now and then.
    bus.log(GST_LEVEL_DEBUG, "a buffer cannot go out: other memory takes its place")
    guard let fresh = unsafe buffers.makeBuffer() else {
      bus.postError(.resource(GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is no memory for a frame."))
      return nil
    }
    if unsafe !map(fresh) {
      bus.postError(.stream("Memory for a frame cannot be mapped."))
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(fresh)))
      return nil
    }
    return unsafe fresh
  }

  /// Hides the room in the buffer that was prepared last, with what it was prepared from.
  func transform(_ buffer: BufferPointer, from input: BufferPointer? = nil) -> GstFlowReturn {
    guard let state, let format = state.format, let mapping = state.mapping else {
      return GST_FLOW_NOT_NEGOTIATED
    }
    // Whatever came, a picture goes out.
    unsafe cgst_buffer_clear_gap(buffer)
    if state.plan == .repeatFrame {
      unsafe attachMatte(to: buffer, state)
      state.statistics.repeated += 1
      return GST_FLOW_OK
    }
    let clock = WorkClock(state.clock)
    let output = state.output?.picture
    guard state.output == nil ? mapping.frame != nil : output != nil else {
      bus.postError(.stream("A frame was to be worked on that is not mapped."))
      return GST_FLOW_ERROR
    }
    defer {
      if state.output == nil { mapping.writeBack() }
      mapping.unmap()
      state.output?.unmap()
    }
    state.lastResult.forget()
    if state.needsHistoryReset {
      state.engine.forgetPast()
      state.needsHistoryReset = false
    }
    guard state.pixelsAreValid, let frame = mapping.frame else {
      let error = SegmentationError(
        .inferenceFailed, "The memory of a frame cannot be used; the frame is hidden.")
      let outcome = state.engine.hide(
        mapping.frame, into: output, settings: state.settings.effectSettings(showing: .color),
        because: error, pixelsAreValid: false)
      unsafe attachMatte(to: buffer, state)
      return flow(for: outcome, state)
    }
    if state.settings.isNeutral {
      if let output { state.engine.convert(frame, into: output) }
      return GST_FLOW_OK
    }
    defer { state.upstreamMask.release() }
    let mask = unsafe state.upstreamMask.find(
      on: input ?? buffer, for: state.settings.subjects, in: format)
    let inferencesBefore = state.engine.statistics.inferences
    let time = unsafe base.presentationTime(of: input ?? buffer)
    let flow = hideRoom(in: frame, into: output, format, mask, time: time, state)
    // While nobody else has the buffer.
    if flow == GST_FLOW_OK { unsafe attachMatte(to: buffer, state) }
    if state.settings.pacing == .repeatFrame, state.resultHidesRoom {
      unsafe state.lastResult.keep(buffer)
    }
    unsafe noteWork(
      clock, on: buffer, inferred: state.engine.statistics.inferences > inferencesBefore, state)
    return flow
  }

  private func hideRoom(
    in frame: Frame, into output: PicturePlanes?, _ format: FrameFormat, _ mask: PersonMask?,
    time: UInt64?, _ state: ElementState
  ) -> GstFlowReturn {
    state.resultHidesRoom = false
    // Nothing is to be waited for when somebody else has found the person already.
    switch mask == nil ? updateNetwork(format, state) : .ready(()) {
    case .interrupted:
      return GST_FLOW_FLUSHING
    case .missing(let error):
      guard state.hasForwardedRawFrames else { return fail(ElementFault(error)) }
      return flow(
        for: state.engine.hide(
          frame, into: output, settings: state.settings.effectSettings(showing: .color),
          because: error, pixelsAreValid: true), state)
    case .ready:
      break
    }
    switch updateEffect(format, state) {
    case .interrupted:
      return GST_FLOW_FLUSHING
    case .missing(let fault):
      guard state.hasForwardedRawFrames else { return fail(fault) }
      // The person can be shown, and the colour hides the room as well as the image would.
      state.lastEffect = .color
    case .ready(let effect):
      state.lastEffect = effect
    }
    let outcome = state.engine.process(
      frame, into: output,
      settings: state.settings.effectSettings(showing: state.lastEffect ?? .color),
      at: state.runningTime, infers: state.plan == .infer,
      mayRest: state.stillPace.mayRest(at: time), mask: mask)
    if outcome == .composed(inferred: true) { state.stillPace.noteInference(at: time) }
    return flow(for: outcome, state)
  }

  private func updateNetwork(
    _ format: FrameFormat, _ state: ElementState
  ) -> Readiness<Void, SegmentationError> {
    var settings = state.settings
    if let level = state.loadRegulation?.level { settings.quality = level.quality }
    let outcome = state.networkSlot.update(
      wanted: NetworkRequest(
        settings, device: state.device, threads: state.threads, frameWidth: format.width,
        frameHeight: format.height),
      loader: loader)
    if let network = outcome.delivery {
      state.engine.use(network.segmenters)
      state.statistics.model = network.path
      state.statistics.quality = network.quality?.rawValue ?? "model"
      bus.log(GST_LEVEL_INFO, "using \(network.path)")
      for reason in network.fallbackReasons { bus.log(GST_LEVEL_WARNING, reason) }
      warnOfUnheededSubjects(of: network, state)
    }
    if let warning = outcome.warning { bus.postWarning(ElementFault(warning)) }
    return outcome.readiness
  }

  /// Says once that a network cannot choose what it keeps, not again for frames of another size.
  private func warnOfUnheededSubjects(of network: Network, _ state: ElementState) {
    defer { state.lastUnsupportedSubjects = network.unsupportedSubjects.map { (network.path, $0) } }
    guard let subjects = network.unsupportedSubjects else { return }
    if let last = state.lastUnsupportedSubjects, last == (network.path, subjects) { return }
    bus.postWarning(
      .resource(
        GST_RESOURCE_ERROR_SETTINGS,
        "\(network.path) knows one subject only: subjects=\(subjects.names.joined(separator: ",")) "
          + "has no effect. Set model to a network that knows classes."))
  }

  private func updateEffect(
    _ format: FrameFormat, _ state: ElementState
  ) -> Readiness<EffectSettings.Effect, ElementFault> {
    guard state.settings.wantsPlate else {
      if state.plateSlot.clear(loader: loader) { state.engine.use(nil as Plate?) }
      switch state.settings.effect {
      case .color: return .ready(.color)
      case .transparent: return .ready(transparentEffect(state))
      case .matte: return .ready(.matte)
      case .auto, .blur, .replace, .none: return .ready(.blur)
      }
    }
    let outcome = state.plateSlot.update(
      settings: state.settings, format: format, time: state.runningTime,
      before: state.lastEffect, loader: loader)
    if let plate = outcome.delivery { state.engine.use(plate) }
    if let note = outcome.note { bus.log(GST_LEVEL_INFO, note) }
    if let warning = outcome.warning {
      // What ends the stream is said once, as the error that it is.
      if case .missing = outcome.readiness, !state.hasForwardedRawFrames {
        return outcome.readiness
      }
      bus.postWarning(warning)
    }
    return outcome.readiness
  }

  /// The person alone; before a colour where the negotiated format has no alpha.
  private func transparentEffect(_ state: ElementState) -> EffectSettings.Effect {
    if state.output?.picture?.format.hasAlpha == true {
      state.hasWarnedOfAlpha = false
      return .transparent
    }
    // Set a moment ago, after this frame's format was chosen.
    guard state.aim == .alpha else { return state.lastEffect ?? .color }
    if !state.hasWarnedOfAlpha {
      state.hasWarnedOfAlpha = true
      bus.postWarning(
        .resource(
          GST_RESOURCE_ERROR_SETTINGS,
          "effect=transparent shows background-color: what follows takes no alpha. Put "
            + "\"! video/x-raw,format=RGBA\" and what takes that after this element, or "
            + "\"! videoconvert\" where the alpha may be lost."))
    }
    return .color
  }

  /// What became of a frame, as the base class wants to hear it.
  private func flow(for outcome: FrameOutcome, _ state: ElementState) -> GstFlowReturn {
    switch outcome {
    case .composed:
      state.resultHidesRoom =
        state.settings.effectSettings(showing: state.lastEffect ?? .color).hidesRoom
      return GST_FLOW_OK
    case .hidden(let error):
      warn(ElementFault(error), state)
      return GST_FLOW_OK
    case .dropped(let error):
      warn(ElementFault(error), state)
      return CGST_FLOW_DROPPED
    case .failed(let error):
      return fail(ElementFault(error))
    }
  }

  private func warn(_ fault: ElementFault, _ state: ElementState) {
    let now = UInt64(clamping: g_get_monotonic_time()) &* 1000
    if state.warnings.allows(at: now) {
      bus.postWarning(fault)
    } else {
      bus.log(GST_LEVEL_DEBUG, fault.text)
    }
  }

  private func fail(_ fault: ElementFault) -> GstFlowReturn {
    bus.postError(fault)
    return GST_FLOW_ERROR
  }

  /// Notes what became of a frame that came in time: it goes out, is dropped, or ends the stream.
  ///
  /// The only place that counts it, whatever was done to it.
  func noteResult(_ flow: GstFlowReturn) {
    guard let state else { return }
    switch flow {
    case GST_FLOW_OK: state.statistics.framesOut += 1
    case CGST_FLOW_DROPPED: state.statistics.dropped += 1
    default: break
    }
    publish(state)
  }

  /// Shows the statistics, and posts them when it is time to.
  func publish(_ state: ElementState) {
    state.statistics.engine = state.engine.statistics
    statistics.withLock { $0 = state.statistics }
    let interval = UInt64(state.settings.statsInterval) * 1_000_000
    guard interval > 0 else {
      state.lastStatistics = nil
      return
    }
    let now = state.clock.time()
    guard let last = state.lastStatistics else {
      state.lastStatistics = now
      return
    }
    guard now >= last, now - last >= interval else { return }
    // The beat is kept, but what was missed in a pause is not made up for.
    state.lastStatistics = now - last < 2 * interval ? last + interval : now
    unsafe bus.postElementMessage(state.statistics.makeStructure())
  }
}
