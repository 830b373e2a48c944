import CGStreamer
import GStreamerVideo
import GstElementSupport
import InferenceTypes
import Matting
import PixelTypes
import Threads
import VirtualBackground

// The path of a buffer, on the streaming thread. `submitInputBuffer` receives the input buffer, and
// `generateOutput` creates the output buffer. The steps share one value, `FrameContext`.

extension VBGFilterElement {
  /// Receives an input buffer, and takes ownership of it.
  func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn {
    unsafe receive(buffer)
    let flow = unsafe base.submitInputBuffer(buffer, isDiscontinuous: isDiscontinuous)
    if flow == CGST_FLOW_DROPPED { recordLateDrop() }
    return flow
  }

  /// Stores the next output buffer in `output`, and the caller owns it.
  ///
  /// Leaves `output` nil after the last buffer. Until then the base class calls again.
  func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn {
    // The base class calls this again after each frame.
    guard let input = unsafe base.pointer.pointee.queued_buf else {
      state?.recordPush()
      return GST_FLOW_OK
    }
    guard let state, !base.isPassthrough else {
      let flow = unsafe base.generateOutput(output)
      recordResult(flow)
      return flow
    }
    // `pushBegan` is still set if the last push failed.
    state.pushBegan = nil
    // Take ownership of the input buffer.
    unsafe base.pointer.pointee.queued_buf = nil
    var frame = state.frame
    frame.plan = plan(frame, state)
    if frame.plan == .drop {
      unsafe unref(input)
      recordResult(CGST_FLOW_DROPPED)
      // Do not return CGST_FLOW_DROPPED: the base class would mark the next buffer as
      // discontinuous. A frame that `pacing` skips is not a discontinuity.
      return GST_FLOW_OK
    }
    unsafe output.pointee = nil
    let flow = unsafe makeResult(output, from: input, &frame, state)
    if flow != GST_FLOW_OK, let refused = unsafe output.pointee {
      // In pull mode the base class would send this buffer despite CGST_FLOW_DROPPED.
      if unsafe refused != input { unsafe unref(refused) }
      unsafe output.pointee = nil
    }
    if unsafe output.pointee != input { unsafe unref(input) }
    recordResult(flow)
    state.pushBegan = state.clock.time()
    return flow
  }

  /// Creates the output buffer and processes the frame in it.
  ///
  /// Leaves `output` nil if there is not enough memory.
  private func makeResult(
    _ output: UnsafeMutablePointer<BufferPointer?>, from input: BufferPointer,
    _ frame: inout FrameContext, _ state: ElementState
  ) -> GstFlowReturn {
    var offered: BufferPointer?
    let flow = unsafe base.prepareOutputBuffer(for: input, &offered)
    guard flow == GST_FLOW_OK, let offered = unsafe offered else { return flow }
    unsafe output.pointee = prepare(offered, from: input, &frame)
    if unsafe output.pointee != offered {
      if let prepared = unsafe output.pointee {
        unsafe base.copyMetadata(from: offered, to: prepared)
      }
      if unsafe offered != input { unsafe unref(offered) }
    }
    guard let prepared = unsafe output.pointee else {
      // The input may still be mapped, and the mapping has no reference to the buffer.
      state.mapping?.unmap()
      return GST_FLOW_ERROR
    }
    return unsafe transform(prepared, from: state.output == nil ? nil : input, &frame)
  }

  /// Reads the settings for a new buffer, and enables passthrough if no effect is active.
  func receive(_ buffer: BufferPointer) {
    guard let state else { return }
    let time = unsafe base.presentationTime(of: buffer)
    base.syncControlledProperties(atStreamTime: base.streamTime(at: time))
    let settings = settings.current
    state.frame = FrameContext(
      settings: settings, time: time, runningTime: base.runningTime(at: time))
    state.statistics.framesIn += 1
    state.recordTime(
      time, isDiscontinuous: unsafe cgst_buffer_has_flag(buffer, GST_BUFFER_FLAG_DISCONT) != 0)
    state.use(settings.inputOrientation.fixed ?? state.taggedOrientation.orientation)
    if settings.isNeutral { state.enterPassthrough() }
    unsafe state.stickyPictures.switchEvents(toOriginals: !settings.hidesRoom) {
      // Ignore the result: the pad stores a sticky event even if downstream refuses it.
      _ = unsafe gst_pad_push_event(base.pointer.pointee.srcpad, $0)
    }
    if let aim = state.aim, aim != NegotiationAim(settings) {
      // The base class negotiates again before it processes this buffer.
      unsafe gst_base_transform_reconfigure_src(base.pointer)
    }
    // If the output has another format, the frame must be converted and cannot be passed through.
    let passes = settings.isNeutral && state.output == nil
    if base.isPassthrough != passes {
      bus.log(GST_LEVEL_DEBUG, passes ? "letting frames through" : "hiding the room")
      base.isPassthrough = passes
    }
  }

  /// Maps the writable output buffer, or a replacement for it.
  ///
  /// Also maps `input` if the output has another format. A replacement is needed in these cases:
  ///
  /// - The buffer cannot be mapped.
  /// - The memory of the buffer is shared.
  /// - The metas of the buffer may show the real background, and the settings hide it.
  ///
  /// Returns the buffer to send: `buffer`, or another buffer that the caller owns. Returns nil if
  /// there is not enough memory.
  func prepare(
    _ buffer: BufferPointer, from input: BufferPointer, _ frame: inout FrameContext
  ) -> BufferPointer? {
    // Without caps no buffer can be mapped. `transform` returns the error.
    guard let state, let mapping = state.mapping else { return unsafe buffer }
    if frame.plan == .repeatFrame {
      if let last = unsafe state.lastResult.makeCopy() { return unsafe last }
      // There is not enough memory for a copy, so process the frame instead.
      frame.plan = .reuseMatte
    }
    guard let output = state.output else {
      // Do not map shared memory: that would copy it to newly allocated memory for each frame.
      let isOwn = unsafe gst_buffer_is_all_memory_writable(buffer) != 0
      let maySend = unsafe !frame.settings.hidesRoom || state.frameMetas.maySendAll(of: buffer)
      frame.hasPicture = unsafe isOwn && maySend && mapping.map(buffer)
      if frame.hasPicture { return unsafe buffer }
      guard let fresh = unsafe makeReplacement(by: mapping.buffers) else { return nil }
      if let hasPicture = unsafe mapping.map(fresh, withPictureOf: buffer) {
        frame.hasPicture = hasPicture
        return unsafe fresh
      }
      return unsafe refuse(fresh)
    }
    frame.hasPicture = unsafe mapping.map(input, isWritten: false)
    if unsafe output.map(buffer, isWritten: true, paintsRest: true) { return unsafe buffer }
    guard let fresh = unsafe makeReplacement(by: output) else { return nil }
    return unsafe output.map(fresh, isWritten: true, paintsRest: true) ? fresh : refuse(fresh)
  }

  /// Creates a replacement for a buffer that cannot be sent.
  ///
  /// Posts an error and returns nil if there is not enough memory.
  private func makeReplacement(by buffers: BufferMapping) -> BufferPointer? {
    // Only log this: if the frame has no picture, `transform` posts a rate-limited warning.
    bus.log(
      GST_LEVEL_DEBUG,
      "a frame is copied: its memory is shared, cannot be written, or holds more than the picture")
    if let fresh = unsafe buffers.makeBuffer() { return unsafe fresh }
    bus.postError(
      .resource(GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is not enough memory for a frame."))
    return nil
  }

  /// Releases a new buffer that cannot be mapped, and posts an error.
  ///
  /// Always returns nil.
  private func refuse(_ fresh: BufferPointer) -> BufferPointer? {
    bus.postError(.stream("The memory of a new frame cannot be mapped."))
    unsafe unref(fresh)
    return nil
  }

  /// Hides the real background in the buffer that `prepare` returned.
  ///
  /// `input` is the input buffer if it has another format than `buffer`, otherwise nil.
  func transform(
    _ buffer: BufferPointer, from input: BufferPointer?, _ frame: inout FrameContext
  ) -> GstFlowReturn {
    guard let state, let format = state.format, let mapping = state.mapping else {
      return GST_FLOW_NOT_NEGOTIATED
    }
    // The output always has a picture, even if the input was a gap.
    unsafe cgst_buffer_clear_gap(buffer)
    if frame.plan == .repeatFrame {
      unsafe updateMetas(of: buffer, for: frame, state)
      state.statistics.repeated += 1
      return GST_FLOW_OK
    }
    let clock = WorkClock(state.clock)
    let output = state.output == nil ? mapping.convertedPicture : state.output?.picture
    guard state.output == nil ? mapping.frame != nil : output != nil else {
      bus.postError(.stream("The memory of a frame is not mapped."))
      return GST_FLOW_ERROR
    }
    defer {
      mapping.unmap()
      state.output?.unmap()
    }
    state.lastResult.reset()
    if state.needsHistoryReset {
      state.engine.reset()
      state.needsHistoryReset = false
    }
    guard frame.hasPicture, let picture = mapping.frame else {
      let error = SegmentationError(
        .inferenceFailed, "The memory of a frame cannot be used; the frame is hidden.")
      let outcome = state.engine.hide(
        mapping.frame, into: output, settings: frame.settings.effectSettings(showing: .color),
        because: error, pixelsAreValid: false)
      unsafe updateMetas(of: buffer, for: frame, state)
      return flow(for: outcome, of: &frame, state)
    }
    if frame.settings.isNeutral {
      if let output { state.engine.convert(picture, into: output) }
      return GST_FLOW_OK
    }
    defer { state.upstreamMask.release() }
    let mask = unsafe state.upstreamMask.find(
      on: input ?? buffer, for: frame.settings.subjects, in: format)
    let inferencesBefore = state.engine.statistics.inferences
    let flow = hideRoom(in: picture, into: output, format, mask, &frame, state)
    // Update the metas before `keep` takes a reference. After that, the buffer is not writable.
    if flow == GST_FLOW_OK { unsafe updateMetas(of: buffer, for: frame, state) }
    if frame.settings.pacing == .repeatFrame, frame.resultHidesRoom {
      unsafe state.lastResult.keep(buffer)
    }
    unsafe recordWork(
      clock, on: buffer, of: frame,
      inferences: state.engine.statistics.inferences - inferencesBefore, state)
    return flow
  }

  private func hideRoom(
    in picture: Frame, into output: PicturePlanes?, _ format: FrameFormat, _ mask: PersonMask?,
    _ frame: inout FrameContext, _ state: ElementState
  ) -> GstFlowReturn {
    // If upstream provides a mask, do not wait for a network.
    switch mask == nil ? updateNetwork(for: frame, format, state) : .ready(()) {
    case .interrupted:
      return GST_FLOW_FLUSHING
    case .missing(let error):
      guard state.hasForwardedRawFrames else {
        return fail(ElementFault(error, for: frame.settings))
      }
      let outcome = state.engine.hide(
        picture, into: output, settings: frame.settings.effectSettings(showing: .color),
        because: error, pixelsAreValid: true)
      return flow(for: outcome, of: &frame, state)
    case .ready:
      break
    }
    switch updateFaces(for: frame, state) {
    case .interrupted: return GST_FLOW_FLUSHING
    // Without faces, people who touch are shown together.
    case .missing, .ready: break
    }
    switch updateEffect(for: frame, format, state) {
    case .interrupted:
      return GST_FLOW_FLUSHING
    case .missing(let fault):
      guard state.hasForwardedRawFrames else { return fail(fault) }
      // Show the person in front of a colour, which hides the real background as an image does.
      state.lastEffect = .color
    case .ready(let effect):
      state.lastEffect = effect
    }
    state.engine.isLive = isLive(state)
    let outcome = state.engine.process(
      picture, into: output,
      settings: frame.settings.effectSettings(showing: state.lastEffect ?? .color),
      at: frame.runningTime, infers: frame.plan == .infer, mask: mask)
    return flow(for: outcome, of: &frame, state)
  }

  /// Returns the flow return for the outcome of a frame, and reports its error.
  private func flow(
    for outcome: FrameOutcome, of frame: inout FrameContext, _ state: ElementState
  ) -> GstFlowReturn {
    switch outcome {
    case .composed:
      frame.resultHidesRoom =
        frame.settings.effectSettings(showing: state.lastEffect ?? .color).hidesRoom
      return GST_FLOW_OK
    case .hidden(let error):
      warn(error, state)
      return GST_FLOW_OK
    case .dropped(let error):
      warn(error, state)
      return CGST_FLOW_DROPPED
    case .failed(let error):
      return fail(ElementFault(error))
    }
  }

  private func warn(_ error: SegmentationError, _ state: ElementState) {
    let fault = ElementFault(error)
    // Live frames may be hidden after a scene change. That does not need a warning.
    if error.kind != .tooLate, let text = state.warnings.admit(fault.text) {
      bus.postWarning(fault.withText(text))
    } else {
      bus.log(GST_LEVEL_DEBUG, fault.text)
    }
  }

  private func fail(_ fault: ElementFault) -> GstFlowReturn {
    bus.postError(fault)
    return GST_FLOW_ERROR
  }
}

/// Releases a reference to a buffer, caps, an event or another GstMiniObject.
///
/// Safety: the caller must own the reference.
func unref<Object>(_ object: UnsafeMutablePointer<Object>) {
  unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
}
