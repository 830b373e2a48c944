import CGStreamer
import GstElementSupport
import Matting
import Threads
import VirtualBackground

// The limits on the load of the machine, the statistics, and the published state.

extension VBGFilterStream {
  /// Records the cost of the work on a buffer, and adapts the load to it.
  ///
  /// `inferences` counts those that ended with this buffer.
  func recordWork(_ clock: WorkClock, on buffer: BufferPointer, inferences: UInt64) {
    let now = self.clock.time()
    let work = clock.elapsed
    if engine.isLive { backlog &+= work }
    let (engine, settings) = (engine.statistics, frame.settings)
    // Includes the helper threads that run inferences and process the rows of large frames.
    let processorTime = clock.computed &+ consumeHelperTime()
    statistics.processorShare.add(Double(processorTime) / 1e9, at: now)
    let inferred = inferences > 0
    if inferred { statistics.inferenceRate.add(Double(inferences), at: now) }
    recordLatency(work: work, inferred: inferred)
    // `isInferred` is also true for a matte from an upstream mask. A hidden frame has no matte.
    if let matte = self.engine.frameMatte, inferred || matte.isInferred {
      statistics.presence.record(coverage: engine.coverage, at: now)
    }
    let lateness = element.lateness.withLock { lateness in
      defer { lateness.frames = 0 }
      if let frameInterval { lateness.frameInterval = frameInterval }
      return lateness
    }
    let controller = updateLoadController()
    controller.maxProcessorShare = settings.cpuBudget
    controller.infersAlongside = self.engine.isLive && settings.inference == .whenNeeded
    if networkSlot.isLoading {
      // Don't judge the old network while the new one loads.
      controller.restart(at: now)
      return
    }
    let overload = controller.add(
      FrameLoad(
        time: now, frameInterval: frameInterval ?? self.engine.frameDuration ?? 0, work: work,
        processorTime: processorTime, inferenceTime: inferred ? engine.inferenceTime : nil,
        lateFrames: lateness.frames))
    if let overload { warn(of: overload, steps: controller.steps) }
    statistics.adaptiveLevel = controller.steps.down
    statistics.inferenceInterval = controller.level.interval
    guard controller.consumeChange() else { return }
    bus.log(
      GST_LEVEL_INFO,
      "load: quality \(controller.level.quality), an inference in 1 of "
        + "\(controller.level.interval) frames")
    unsafe postStep(controller.steps, at: buffer, lateness)
  }

  /// Returns the controller of the stream, or a new one if the settings that affect it changed.
  func updateLoadController() -> LoadController {
    let settings = frame.settings
    let policy = LoadController.Policy(
      quality: settings.choosesQuality ? nil : settings.quality.quality,
      hasOwnModel: settings.model != nil, isAdaptive: settings.adaptive)
    if let loadController, loadController.policy == policy { return loadController }
    let controller = LoadController(policy, installed: installedQualities, isLive: isLive)
    loadController = controller
    return controller
  }

  /// Records how long an inference delayed a frame.
  ///
  /// Posts a latency message if the latency of a live stream has changed.
  private func recordLatency(work: UInt64, inferred: Bool) {
    if frame.settings.inference == .everyFrame {
      inferenceLatency = InferenceLatency()
    } else if frameInterval != nil {
      // The first frame does not count, because it may wait for its network.
      inferenceLatency.record(
        work: work, inferred: inferred, frameInterval: engine.usualFrameDuration)
    }
    let latency = inferenceLatency.nanoseconds
    guard element.latency.exchange(latency, ordering: .relaxed) != latency, isLive else { return }
    bus.log(GST_LEVEL_INFO, "an inference delays a frame by \(latency / 1_000_000) ms")
    // Until the pipeline uses the new latency, frames are late for a reason other than the load.
    loadController?.restart(at: clock.time())
    unsafe bus.post(gst_message_new_latency(base.gstObject))
  }

  /// Warns that a live stream loses frames.
  ///
  /// If downstream is the cause, the warning is posted once, otherwise once per network.
  private func warn(of overload: Overload, steps: (down: Int, count: Int)) {
    let lost = "\(Int(overload.lostFrames.rounded())) frames per second are lost"
    func milliseconds(_ time: UInt64) -> String { "\((time + 500_000) / 1_000_000) ms" }
    if overload.cause == .downstream {
      guard lastWarnings[.blocking] == nil, isLive else { return }
      let fault = ElementFault.resource(
        GST_RESOURCE_ERROR_SETTINGS,
        "\(lost): the next element blocks the thread of this one for "
          + "\(milliseconds(overload.time)) per frame, as a sink does while it waits for its "
          + "clock. Put \"! queue max-size-bytes=0\" after this element. If there is a queue "
          + "already, the elements after it are too slow for the stream.")
      warn(fault, about: .blocking)
      return
    }
    guard slowModel != statistics.model, isLive, let format else { return }
    // Do not warn yet if the load controller can still lower the load.
    if steps.down + 1 < steps.count { return }
    slowModel = statistics.model
    let settings = frame.settings
    var remedies: [String] = []
    if settings.model == nil, statistics.quality != Quality.fast.rawValue {
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
          + "quality=\(statistics.quality); the last inference took "
          + "\(milliseconds(engine.statistics.inferenceTime)). "
          + "\(remedy) the frames down before this element."))
  }

  /// Whether the source is live.
  ///
  /// The first call in a stream queries upstream. Later calls return the same result.
  var isLive: Bool {
    if let isLive = answeredLive { return isLive }
    var live: gboolean = 0
    if let query = unsafe gst_query_new_latency() {
      if let pad = unsafe base.pointer.pointee.sinkpad, unsafe gst_pad_peer_query(pad, query) != 0 {
        unsafe gst_query_parse_latency(query, &live, nil, nil)
      }
      unsafe unref(query)
    }
    answeredLive = live != 0
    if loadController?.isLive != answeredLive { loadController = nil }
    return live != 0
  }

  /// Posts a QoS message with the new quality level, and with the times of `buffer`.
  private func postStep(
    _ steps: (down: Int, count: Int), at buffer: BufferPointer, _ lateness: Lateness
  ) {
    // GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
    let runningTime = frame.runningTime ?? .max
    let streamTime = base.streamTime(at: frame.time) ?? .max
    guard
      let message = unsafe gst_message_new_qos(
        base.gstObject, isLive ? 1 : 0, guint64(runningTime), guint64(streamTime),
        guint64(frame.time ?? .max), guint64(buffer.pointee.duration))
    else { return }
    // In a QoS message, 1000000 means full quality.
    let quality = 1_000_000 * (steps.count - steps.down) / steps.count
    unsafe gst_message_set_qos_values(
      message, gint64(lateness.jitter), lateness.proportion, gint(quality))
    unsafe gst_message_set_qos_stats(
      message, GST_FORMAT_BUFFERS, guint64(statistics.framesOut), guint64(statistics.dropped))
    unsafe bus.post(message)
  }

  /// Records the result of a frame: it was sent or dropped, or it ended the stream.
  ///
  /// No other function counts output frames. Publishes the statistics and the state, and posts the
  /// statistics when they are due.
  func recordResult(_ flow: GstFlowReturn) {
    switch flow {
    case GST_FLOW_OK: statistics.framesOut += 1
    case CGST_FLOW_DROPPED: statistics.dropped += 1
    default: break
    }
    statistics.engine = engine.statistics
    // The engine does not see frames that pass.
    if base.isPassthrough { statistics.engine.region = .whole }
    element.statistics.withLock { $0 = statistics }
    element.show(
      PublishedState(
        background: lastEffect == .replace ? plateSlot.location : nil,
        model: statistics.model, quality: statistics.quality, keep: shownKeep,
        isPersonPresent: statistics.presence.isPresent))
    let (now, interval) = (clock.time(), UInt64(frame.settings.statsInterval) * 1_000_000)
    let last = lastStatistics ?? now
    lastStatistics = interval > 0 ? last : nil
    guard interval > 0, now >= last, now - last >= interval else { return }
    // Keep the interval exact, but send no messages for intervals that passed during a pause.
    lastStatistics = now - last < 2 * interval ? last + interval : now
    unsafe bus.postElementMessage(statistics.makeStructure().take())
  }

  /// The value of `current-keep`: empty before the first frame and during passthrough.
  private var shownKeep: String {
    guard lastEffect != nil else { return "" }
    let keep = frame.settings.matte.keep
    guard case .failure? = faces, keep != .everyone else { return keep.nick }
    // Use literals, because they need no allocation.
    return keep == .nearest ? "nearest-without-faces" : "tracked-without-faces"
  }
}
