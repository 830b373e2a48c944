import CGStreamer
import GstElementSupport
import InferenceTypes
import Threads
import VirtualBackground

// The rate of inferences, and the limits on the load of the machine. All functions except
// `sourceEvent` are called on the streaming thread.

extension VBGFilterElement {
  /// Returns the negotiated duration of a frame in nanoseconds, or nil for a variable rate.
  ///
  /// Safety: `info` must be valid during the call.
  func frameDuration(_ info: UnsafePointer<GstVideoInfo>) -> UInt64? {
    let (rate, base) = unsafe (info.pointee.fps_n, info.pointee.fps_d)
    return rate > 0 && base > 0 ? UInt64(base) * 1_000_000_000 / UInt64(rate) : nil
  }

  /// Decides how to process a frame.
  func plan(_ frame: FrameContext, _ state: ElementState) -> FramePlan {
    guard state.format != nil, !frame.settings.isNeutral else { return .infer }
    return state.planner.plan(
      frame.settings, time: frame.time, duration: state.engine.frameDuration,
      needsMatte: state.needsHistoryReset || !state.engine.hasMatte,
      hasResult: state.lastResult.exists,
      interval: state.loadController?.level.interval ?? 1)
  }

  /// Handles an event from downstream on any thread, and takes ownership of it.
  func sourceEvent(_ event: EventPointer) -> Bool {
    if unsafe cgst_event_type(event) == GST_EVENT_QOS {
      var proportion = 1.0
      var jitter: GstClockTimeDiff = 0
      unsafe gst_event_parse_qos(event, nil, &proportion, &jitter, nil)
      lateness.withLock { $0.record(jitter: Int64(jitter), proportion: proportion) }
    }
    return unsafe base.sourceEvent(event)
  }

  /// Records the cost of the work on a buffer, and adapts the load to it.
  ///
  /// `inferences` counts those that ended with this buffer.
  func recordWork(
    _ clock: WorkClock, on buffer: BufferPointer, of frame: FrameContext, inferences: UInt64,
    _ state: ElementState
  ) {
    let now = state.clock.time()
    let work = clock.elapsed
    if state.engine.isLive { state.backlog &+= work }
    let engine = state.engine.statistics
    // Includes the helper threads that run inferences and process the rows of large frames.
    let processorTime = clock.computed &+ state.consumeHelperTime()
    state.statistics.processorShare.add(Double(processorTime) / 1e9, at: now)
    let inferred = inferences > 0
    if inferred {
      state.statistics.inferenceRate.add(Double(inferences), at: now)
    }
    recordLatency(work: work, of: frame, inferred: inferred, state)
    // `isInferred` is also true for a matte from an upstream mask. A hidden frame has no matte.
    if let matte = state.engine.frameMatte, inferred || matte.isInferred {
      state.statistics.presence.record(coverage: engine.coverage, at: now)
    }
    let lateness = lateness.withLock { lateness in
      if let interval = state.frameInterval { lateness.frameInterval = interval }
      return (
        frames: lateness.consumeFrames(), jitter: lateness.jitter, proportion: lateness.proportion
      )
    }
    let controller = loadController(for: frame.settings, state)
    controller.maxProcessorShare = frame.settings.cpuBudget
    controller.infersAlongside = state.engine.isLive && frame.settings.inference == .whenNeeded
    if state.networkSlot.isLoading {
      // Don't judge the old network while the new one loads.
      controller.restart(at: now)
      return
    }
    let overload = controller.add(
      FrameLoad(
        time: now, frameInterval: state.frameInterval ?? state.engine.frameDuration ?? 0,
        work: work, processorTime: processorTime,
        inferenceTime: inferred ? engine.inferenceTime : nil, lateFrames: lateness.frames))
    if let overload { warn(of: overload, steps: controller.steps, at: frame, state) }
    state.statistics.adaptiveLevel = controller.steps.down
    state.statistics.inferenceInterval = controller.level.interval
    guard controller.consumeChange() else { return }
    bus.log(
      GST_LEVEL_INFO,
      "load: quality \(controller.level.quality), an inference in 1 of "
        + "\(controller.level.interval) frames")
    unsafe postStep(
      controller.steps, at: buffer, of: frame, jitter: lateness.jitter,
      proportion: lateness.proportion, state)
  }

  /// Returns the controller of the stream, or a new one if the settings that affect it changed.
  func loadController(for settings: Settings, _ state: ElementState) -> LoadController {
    let policy = LoadController.Policy(
      quality: settings.choosesQuality ? nil : settings.quality.quality,
      hasOwnModel: settings.model != nil, isAdaptive: settings.adaptive)
    if let controller = state.loadController, controller.policy == policy { return controller }
    let controller = LoadController(
      policy, installed: state.installedQualities, isLive: isLive(state))
    state.loadController = controller
    return controller
  }

  /// Records how long an inference delayed a frame.
  ///
  /// Posts a latency message if the latency of a live stream has changed.
  private func recordLatency(
    work: UInt64, of frame: FrameContext, inferred: Bool, _ state: ElementState
  ) {
    if frame.settings.inference == .everyFrame {
      state.inferenceLatency = InferenceLatency()
    } else if state.frameInterval != nil {
      // The first frame does not count, because it may wait for its network.
      state.inferenceLatency.record(
        work: work, inferred: inferred, frameInterval: state.engine.usualFrameDuration)
    }
    let nanoseconds = state.inferenceLatency.nanoseconds
    guard latency.exchange(nanoseconds, ordering: .relaxed) != nanoseconds, isLive(state) else {
      return
    }
    bus.log(GST_LEVEL_INFO, "an inference delays a frame by \(nanoseconds / 1_000_000) ms")
    // Until the pipeline uses the new latency, frames are late for a reason other than the load.
    state.loadController?.restart(at: state.clock.time())
    unsafe bus.post(gst_message_new_latency(base.gstObject))
  }

  /// Warns that a live stream loses frames.
  ///
  /// If downstream is the cause, the warning is posted once, otherwise once per network.
  private func warn(
    of overload: Overload, steps: (down: Int, count: Int), at frame: FrameContext,
    _ state: ElementState
  ) {
    let settings = frame.settings
    let lost = "\(Int(overload.lostFrames.rounded())) frames per second are lost"
    func milliseconds(_ time: UInt64) -> String { "\((time + 500_000) / 1_000_000) ms" }
    if overload.cause == .downstream {
      guard !state.hasWarnedOfBlocking, isLive(state) else { return }
      state.hasWarnedOfBlocking = true
      bus.postWarning(
        .resource(
          GST_RESOURCE_ERROR_SETTINGS,
          "\(lost): the next element blocks the thread of this one for "
            + "\(milliseconds(overload.time)) per frame, as a sink does while it waits for its "
            + "clock. Put \"! queue max-size-bytes=0\" after this element. If there is a queue "
            + "already, the elements after it are too slow for the stream."))
      return
    }
    guard state.slowModel != state.statistics.model, isLive(state), let format = state.format
    else { return }
    // Do not warn yet if the load controller can still lower the load.
    if steps.down + 1 < steps.count { return }
    state.slowModel = state.statistics.model
    var remedies: [String] = []
    if settings.model == nil, state.statistics.quality != Quality.fast.rawValue {
      remedies.append("quality=fast")
    }
    if settings.inference == .everyFrame { remedies.append("inference=when-needed") }
    if !settings.adaptive { remedies.append("adaptive=true") }
    let remedy = remedies.isEmpty ? "Scale" : "Set \(remedies.joined(separator: " or ")), or scale"
    bus.postWarning(
      .resource(
        GST_RESOURCE_ERROR_BUSY,
        "Too slow: \(lost). A frame of "
          + "\(format.width)x\(format.height) takes \(milliseconds(overload.time)) with "
          + "quality=\(state.statistics.quality); the last inference took "
          + "\(milliseconds(state.engine.statistics.inferenceTime)). "
          + "\(remedy) the frames down before this element."))
  }

  /// Returns whether the source is live.
  ///
  /// The first call in a stream queries upstream. Later calls return the same result.
  func isLive(_ state: ElementState) -> Bool {
    if let isLive = state.isLive { return isLive }
    var live: gboolean = 0
    if let query = unsafe gst_query_new_latency() {
      if let pad = unsafe base.pointer.pointee.sinkpad, unsafe gst_pad_peer_query(pad, query) != 0 {
        unsafe gst_query_parse_latency(query, &live, nil, nil)
      }
      unsafe unref(query)
    }
    state.isLive = live != 0
    if state.loadController?.isLive != state.isLive { state.loadController = nil }
    return live != 0
  }

  /// Posts a QoS message with the new quality level, and with the times of `buffer`.
  private func postStep(
    _ steps: (down: Int, count: Int), at buffer: BufferPointer, of frame: FrameContext,
    jitter: Int64, proportion: Double, _ state: ElementState
  ) {
    // GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
    let runningTime = frame.runningTime ?? .max
    let streamTime = base.streamTime(at: frame.time) ?? .max
    guard
      let message = unsafe gst_message_new_qos(
        base.gstObject, isLive(state) ? 1 : 0, guint64(runningTime), guint64(streamTime),
        guint64(frame.time ?? .max), guint64(buffer.pointee.duration))
    else { return }
    // In a QoS message, 1000000 means full quality.
    let quality = 1_000_000 * (steps.count - steps.down) / steps.count
    unsafe gst_message_set_qos_values(message, gint64(jitter), proportion, gint(quality))
    unsafe gst_message_set_qos_stats(
      message, GST_FORMAT_BUFFERS, guint64(state.statistics.framesOut),
      guint64(state.statistics.dropped))
    unsafe bus.post(message)
  }
}
