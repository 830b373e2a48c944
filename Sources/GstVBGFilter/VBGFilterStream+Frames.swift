import CGStreamer
import GStreamerVideo
import Glibc
import GstElementSupport
import Matting
import PixelTypes
import Threads
import VirtualBackground

// The path of a buffer. `submitInputBuffer` receives the input buffer, and `generateOutput` creates
// the output buffer. The steps share `frame`.

extension VBGFilterStream {
  /// Receives an input buffer, and takes ownership of it.
  func submitInputBuffer(_ buffer: BufferPointer, isDiscontinuous: Bool) -> GstFlowReturn {
    unsafe receive(buffer)
    let flow = unsafe base.submitInputBuffer(buffer, isDiscontinuous: isDiscontinuous)
    if flow == CGST_FLOW_DROPPED {
      // The buffer arrived too late.
      loadController?.recordDroppedFrame()
      element.lateness.withLock { $0.frames += 1 }
      recordResult(flow)
    }
    return flow
  }

  /// Stores the next output buffer in `output`, and the caller owns it.
  ///
  /// Leaves `output` nil after the last buffer. Until then the base class calls again.
  func generateOutput(_ output: UnsafeMutablePointer<BufferPointer?>) -> GstFlowReturn {
    // The base class calls this again after each frame.
    guard let input = unsafe base.pointer.pointee.queued_buf else {
      if let pushBegan {
        loadController?.recordBlocked(for: max(clock.time(), pushBegan) - pushBegan)
      }
      pushBegan = nil
      return GST_FLOW_OK
    }
    if base.isPassthrough {
      let flow = unsafe base.generateOutput(output)
      recordResult(flow)
      return flow
    }
    // It is still set if the last push failed.
    pushBegan = nil
    // Take ownership of the input buffer.
    unsafe base.pointer.pointee.queued_buf = nil
    planFrame()
    if frame.plan == .drop {
      unsafe unref(input)
      recordResult(CGST_FLOW_DROPPED)
      // Do not return CGST_FLOW_DROPPED: the base class would mark the next buffer as
      // discontinuous. A frame that `pacing` skips is not a discontinuity.
      return GST_FLOW_OK
    }
    unsafe output.pointee = nil
    let flow = unsafe makeResult(output, from: input)
    if flow != GST_FLOW_OK, let refused = unsafe output.pointee {
      // In pull mode the base class would send this buffer despite CGST_FLOW_DROPPED.
      if unsafe refused != input { unsafe unref(refused) }
      unsafe output.pointee = nil
    }
    if unsafe output.pointee != input { unsafe unref(input) }
    recordResult(flow)
    pushBegan = clock.time()
    return flow
  }

  /// Creates the output buffer and processes the frame in it.
  ///
  /// Leaves `output` nil if there is not enough memory.
  private func makeResult(
    _ output: UnsafeMutablePointer<BufferPointer?>, from input: BufferPointer
  ) -> GstFlowReturn {
    var offered: BufferPointer?
    let flow = unsafe base.prepareOutputBuffer(for: input, &offered)
    guard flow == GST_FLOW_OK, let offered = unsafe offered else { return flow }
    let prepared = unsafe prepare(offered, from: input)
    if unsafe prepared != offered {
      if let prepared = unsafe prepared { unsafe base.copyMetadata(from: offered, to: prepared) }
      if unsafe offered != input { unsafe unref(offered) }
    }
    unsafe output.pointee = prepared
    if let prepared = unsafe prepared {
      return unsafe transform(prepared, from: self.output == nil ? nil : input)
    }
    // The input may still be mapped, and the mapping has no reference to the buffer.
    mapping?.unmap()
    return GST_FLOW_ERROR
  }

  /// Reads the settings for a new buffer, and enables passthrough if no effect is active.
  func receive(_ buffer: BufferPointer) {
    let time = unsafe base.presentationTime(of: buffer)
    base.syncControlledProperties(atStreamTime: base.streamTime(at: time))
    let settings = element.settings.current
    frame = FrameContext(
      settings: settings, time: time, runningTime: base.runningTime(at: time))
    statistics.framesIn += 1
    recordTime(
      time, isDiscontinuous: unsafe cgst_buffer_has_flag(buffer, GST_BUFFER_FLAG_DISCONT) != 0)
    use(settings.inputOrientation.fixed ?? taggedOrientation.orientation)
    if settings.isNeutral { enterPassthrough() }
    unsafe stickyPictures.switchEvents(toOriginals: !settings.hidesRoom) {
      // Ignore the result: the pad stores a sticky event even if downstream refuses it.
      _ = unsafe gst_pad_push_event(base.pointer.pointee.srcpad, $0)
    }
    if let aim, aim != NegotiationAim(settings) {
      // The base class negotiates again before it processes this buffer.
      unsafe gst_base_transform_reconfigure_src(base.pointer)
    }
    // If the output has another format, the frame must be converted and cannot be passed through.
    let passes = settings.isNeutral && output == nil
    if base.isPassthrough != passes {
      bus.log(GST_LEVEL_DEBUG, passes ? "letting frames through" : "hiding the room")
      base.isPassthrough = passes
    }
  }

  /// Records that the next buffer is passed through.
  private func enterPassthrough() {
    hasForwardedRawFrames = true
    lastResult.reset()
    loadController?.restart(at: clock.time())
    lastEffect = nil
    needsHistoryReset = true
    // Retry a network that failed to load: the user may have added its files by then.
    networkSlot.forgetRefusal()
    plateSlot.pause()
  }

  /// Decides how to process the frame.
  func planFrame() {
    guard format != nil, !frame.settings.isNeutral else { return }
    frame.plan = planner.plan(
      frame.settings, time: frame.time, duration: engine.frameDuration,
      needsMatte: needsHistoryReset || !engine.hasMatte, hasResult: lastResult.exists,
      interval: loadController?.level.interval ?? 1)
  }

  /// Maps the writable output buffer, or a replacement for it.
  ///
  /// Also maps `input` if the output has another format. A replacement is needed in these cases:
  ///
  /// - The buffer cannot be mapped.
  /// - The memory of the buffer is shared.
  /// - The metas of the buffer may show the real background, and the settings hide it.
  ///
  /// Returns the buffer to send: `buffer`, or another buffer that the caller owns. Posts an error
  /// and returns nil if there is not enough memory.
  func prepare(_ buffer: BufferPointer, from input: BufferPointer) -> BufferPointer? {
    // Without caps no buffer can be mapped. `transform` returns the error.
    guard let mapping else { return unsafe buffer }
    if frame.plan == .repeatFrame {
      if let last = unsafe lastResult.makeCopy() { return unsafe last }
      // There is not enough memory for a copy, so process the frame instead.
      frame.plan = .reuseMatte
    }
    guard let output else {
      // Do not map shared memory: that would copy it to newly allocated memory for each frame.
      let isOwn = unsafe gst_buffer_is_all_memory_writable(buffer) != 0
      let maySend = unsafe !frame.settings.hidesRoom || frameMetas.maySendAll(of: buffer)
      if unsafe isOwn && maySend && mapping.map(buffer) { return unsafe buffer }
      return unsafe makeReplacement(by: mapping.buffers) {
        unsafe mapping.map($0, withPictureOf: buffer)
      }
    }
    // If this fails, `transform` hides the frame.
    _ = unsafe mapping.map(input, isWritten: false)
    func map(_ buffer: BufferPointer) -> Bool {
      unsafe output.map(buffer, isWritten: true, paintsRest: true)
    }
    return unsafe map(buffer) ? buffer : makeReplacement(by: output, map)
  }

  /// Creates and maps a replacement for a buffer that cannot be sent.
  ///
  /// Posts an error and returns nil if that fails.
  private func makeReplacement(
    by buffers: BufferMapping, _ map: (BufferPointer) -> Bool
  ) -> BufferPointer? {
    // Only log this: if the frame has no picture, `transform` posts a rate-limited warning.
    bus.log(
      GST_LEVEL_DEBUG,
      "a frame is copied: its memory is shared, cannot be written, or holds more than the picture")
    guard let fresh = unsafe buffers.makeBuffer() else {
      bus.postError(
        .resource(GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is not enough memory for a frame."))
      return nil
    }
    if unsafe map(fresh) { return unsafe fresh }
    bus.postError(.stream("The memory of a new frame cannot be mapped."))
    unsafe unref(fresh)
    return nil
  }

  /// Hides the real background in the buffer that `prepare` returned.
  ///
  /// `input` is the input buffer if it has another format than `buffer`, otherwise nil.
  func transform(_ buffer: BufferPointer, from input: BufferPointer?) -> GstFlowReturn {
    guard let format, let mapping else { return GST_FLOW_NOT_NEGOTIATED }
    // The output always has a picture, even if the input was a gap.
    unsafe cgst_buffer_clear_gap(buffer)
    if frame.plan == .repeatFrame {
      unsafe updateMetas(of: buffer, in: format)
      statistics.repeated += 1
      return GST_FLOW_OK
    }
    let work = WorkClock(clock)
    let target = output == nil ? mapping.convertedPicture : output?.picture
    defer {
      mapping.unmap()
      output?.unmap()
    }
    guard output == nil || target != nil else {
      return fail(.stream("The memory of a frame is not mapped."))
    }
    lastResult.reset()
    if needsHistoryReset { engine.reset() }
    needsHistoryReset = false
    guard mapping.hasPicture, let picture = mapping.frame else {
      let error = SegmentationError(
        .inferenceFailed, "The memory of a frame cannot be used; the frame is hidden.")
      let outcome = engine.hide(
        mapping.frame, into: target, settings: frame.settings.effectSettings(showing: .color),
        because: error, pixelsAreValid: false)
      unsafe updateMetas(of: buffer, in: format)
      return flow(for: outcome)
    }
    if frame.settings.isNeutral {
      if let target { engine.convert(picture, into: target) }
      return GST_FLOW_OK
    }
    defer { upstreamMask.release() }
    let mask = unsafe upstreamMask.find(
      on: input ?? buffer, for: frame.settings.subjects, in: format)
    let inferencesBefore = engine.statistics.inferences
    let flow = hideRoom(in: picture, into: target, format, mask)
    // Update the metas before `keep` takes a reference. After that, the buffer is not writable.
    if flow == GST_FLOW_OK { unsafe updateMetas(of: buffer, in: format) }
    if frame.settings.pacing == .repeatFrame, frame.resultHidesRoom {
      unsafe lastResult.keep(buffer)
    }
    unsafe recordWork(work, on: buffer, inferences: engine.statistics.inferences - inferencesBefore)
    return flow
  }

  private func hideRoom(
    in picture: Frame, into target: PicturePlanes?, _ format: FrameFormat, _ mask: PersonMask?
  ) -> GstFlowReturn {
    // If upstream provides a mask, do not wait for a network.
    switch mask == nil ? updateNetwork(for: format) : .success(()) {
    case .success: break
    case nil: return GST_FLOW_FLUSHING
    case .failure(let error):
      guard hasForwardedRawFrames else { return fail(ElementFault(error, for: frame.settings)) }
      return flow(
        for: engine.hide(
          picture, into: target, settings: frame.settings.effectSettings(showing: .color),
          because: error, pixelsAreValid: true))
    }
    guard updateFaces() else { return GST_FLOW_FLUSHING }
    switch updateEffect(for: format) {
    case .success(let effect): lastEffect = effect
    case nil: return GST_FLOW_FLUSHING
    case .failure(let fault):
      guard hasForwardedRawFrames else { return fail(fault) }
      // Show the person in front of a colour, which hides the real background as an image does.
      lastEffect = .color
    }
    engine.isLive = isLive
    return flow(
      for: engine.process(
        picture, into: target,
        settings: frame.settings.effectSettings(showing: lastEffect ?? .color),
        at: frame.runningTime, infers: frame.plan == .infer, mask: mask))
  }

  /// Returns the flow return for the outcome of the frame, and reports its error.
  private func flow(for outcome: FrameOutcome) -> GstFlowReturn {
    switch outcome {
    case .composed:
      frame.resultHidesRoom =
        frame.settings.effectSettings(showing: lastEffect ?? .color).hidesRoom
      return GST_FLOW_OK
    case .hidden(let error):
      warn(error)
      return GST_FLOW_OK
    case .dropped(let error):
      warn(error)
      return CGST_FLOW_DROPPED
    case .failed(let error):
      return fail(ElementFault(error))
    }
  }

  private func warn(_ error: SegmentationError) {
    var fault = ElementFault(error)
    // Live frames may be hidden after a scene change. That does not need a warning.
    if error.kind != .tooLate, let text = warnings.admit(fault.text) {
      fault.text = text
      bus.postWarning(fault)
    } else {
      bus.log(GST_LEVEL_DEBUG, fault.text)
    }
  }

  private func fail(_ fault: ElementFault) -> GstFlowReturn {
    bus.postError(fault)
    return GST_FLOW_ERROR
  }

  /// Adapts the metas of a buffer to its picture.
  ///
  /// - Metas with positions are moved or removed if only a part of the frame is shown.
  /// - If `attach-matte` is set, the matte of the frame is attached. The buffer's matte is removed
  ///   if the frame has no matte.
  ///
  /// The buffer must be writable. Call it after the engine has processed the frame, or for a frame
  /// that repeats an earlier result.
  private func updateMetas(of buffer: BufferPointer, in format: FrameFormat) {
    unsafe RegionMetas.update(buffer, for: engine.statistics.region, in: format)
    unsafe matteAttachment.update(
      buffer, with: engine.frameMatte, of: format,
      // A repeated result was composed for an earlier frame.
      isInferred: frame.plan != .repeatFrame && engine.frameMatte?.isInferred == true,
      subject: frame.settings.subjects, isWanted: frame.settings.attachMatte)
  }

  /// Returns whether a meta of the input buffer is copied to the output buffer.
  ///
  /// The output buffer has the same size and shows the same picture, but may have another format.
  func transformMeta(_ meta: MetaPointer, of input: BufferPointer) -> Bool {
    guard !frame.settings.hidesRoom || (unsafe frameMetas.maySend(meta)),
      let info = unsafe meta.pointee.info
    else { return false }
    // The output is already cropped, so positions in the uncropped input do not apply to it.
    let isCropped = unsafe vbgfilter_buffer_crop_meta(input) != nil
    guard var tag = unsafe gst_meta_api_type_get_tags(info.pointee.api) else { return true }
    while let name = unsafe tag.pointee {
      let isPlace = unsafe strcmp(name, "size") == 0 || strcmp(name, "orientation") == 0
      guard unsafe strcmp(name, "video") == 0 || (isPlace && !isCropped) else { return false }
      unsafe tag += 1
    }
    return true
  }
}

/// Takes a reference to a buffer, caps, an event or another GstMiniObject, and returns the object.
///
/// Safety: the object must be alive, and `unref` must release the reference.
func ref<Object>(_ object: UnsafeMutablePointer<Object>) -> UnsafeMutablePointer<Object> {
  unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
  return unsafe object
}

/// Releases a reference to a buffer, caps, an event or another GstMiniObject.
///
/// Safety: the caller must own the reference.
func unref<Object>(_ object: UnsafeMutablePointer<Object>) {
  unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(object)))
}
