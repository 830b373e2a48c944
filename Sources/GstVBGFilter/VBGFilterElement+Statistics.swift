import CGStreamer
import GstElementSupport

// The statistics and the published state, on the streaming thread.

extension VBGFilterElement {
  /// Records a buffer that was dropped because it arrived too late.
  func recordLateDrop() {
    guard let state else { return }
    state.statistics.dropped += 1
    state.loadController?.recordDroppedFrame()
    lateness.withLock { $0.recordDrop() }
    publish(state)
  }

  /// Records the result of a frame that arrived in time: it was sent, dropped, or ended the stream.
  ///
  /// No other function counts output frames.
  func recordResult(_ flow: GstFlowReturn) {
    guard let state else { return }
    switch flow {
    case GST_FLOW_OK: state.statistics.framesOut += 1
    case CGST_FLOW_DROPPED: state.statistics.dropped += 1
    default: break
    }
    publish(state)
  }

  /// Publishes the current state, and notifies the application of changes.
  ///
  /// Called on the streaming thread, and by `stop` on the thread that changes the element's state.
  func show(_ new: PublishedState) {
    let old = publishedState.withLock { shown in
      defer { shown = new }
      return shown
    }
    guard new != old else { return }
    unsafe bus.postElementMessage(new.makeStructure().take())
    for property in new.changes(from: old) { bus.notify(property) }
  }

  /// Returns the value of `current-keep`: empty before the first frame and during passthrough.
  private func keepText(_ state: ElementState) -> String {
    guard state.lastEffect != nil else { return "" }
    let keep = state.frame.settings.matte.keep
    guard state.facesError != nil, keep != .everyone else { return keep.nick }
    // Use literals, because they need no allocation.
    return keep == .nearest ? "nearest-without-faces" : "tracked-without-faces"
  }

  /// Publishes the statistics, and posts them when they are due.
  private func publish(_ state: ElementState) {
    state.statistics.engine = state.engine.statistics
    // The engine does not see frames that pass.
    if base.isPassthrough { state.statistics.engine.region = .whole }
    statistics.withLock { $0 = state.statistics }
    let new = PublishedState(
      background: state.lastEffect == .replace ? state.plateSlot.location : nil,
      model: state.statistics.model, quality: state.statistics.quality, keep: keepText(state),
      isPersonPresent: state.statistics.presence.isPresent)
    if new != state.publishedState {
      state.publishedState = new
      show(new)
    }
    let interval = UInt64(state.frame.settings.statsInterval) * 1_000_000
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
    // Keep the interval exact, but send no messages for intervals that passed during a pause.
    state.lastStatistics = now - last < 2 * interval ? last + interval : now
    unsafe bus.postElementMessage(state.statistics.makeStructure().take())
  }
}
