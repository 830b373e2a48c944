import CGStreamer
import PixelTypes
import Threads

/// The start of the pipeline, its pictures, and its restarts.
extension BackgroundDecoder {
  /// Starts the pipeline and decodes until it is known whether there is more than one picture.
  ///
  /// With `inSegments`, the stream is played with segment seeks, so that it loops without a gap.
  /// The wait for the first picture ends after `timeout`, and the wait for the second one after at
  /// most one more second. If `isCancelled`, which is called regularly, returns true, opening ends
  /// with an error.
  ///
  /// Returns the first pictures, and whether the stream has several pictures. Returns nil if its
  /// demuxer does not support segment seeks. This decoder then delivers no more pictures: reopen
  /// the stream with `inSegments` false.
  func open(
    inSegments: Bool, within timeout: Duration, isCancelled: @escaping () -> Bool
  ) throws(BackgroundError) -> (first: [DecodedPicture], isVideo: Bool)? {
    let wait = Wait(timeout: timeout, isCancelled: isCancelled)
    try preroll(wait)
    if isLive {
      // Keep only the newest picture, and drop the older ones that were not pulled.
      unsafe gst_app_sink_set_drop(appSink, 1)
    } else if unsafe checks.inspection?.isSingle == true || Self.isPictureByType(pipeline) {
      // All data after the first picture are ignored.
      guard let sample = unsafe gst_app_sink_try_pull_preroll(appSink, 0),
        let picture = unsafe DecodedPicture(sample)
      else { throw noPicture }
      if let error = refusal(of: picture) { throw error }
      return ([picture], isVideo: false)
    } else if isSeekable {
      loopMode = inSegments ? .segment : .flush
      // Some demuxers refuse this seek, and deliver nothing more after that.
      if inSegments, unsafe vbgfilter_seek_to_start(pipeline, 1, 1) == 0 { return nil }
    }
    unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
    guard let first = try nextPicture(wait) else { throw noPicture }
    if isLive { return ([first], isVideo: true) }
    // A stream that stalls after its first picture counts as a video, and is decoded further.
    let shortWait = Wait(
      timeout: min(timeout, .seconds(1)), keepsDecoder: true, isCancelled: isCancelled)
    do throws(BackgroundError) {
      guard let second = try nextPicture(shortWait) else { return ([first], isVideo: false) }
      return ([first, second], isVideo: true)
    } catch {
      if error.kind != .timedOut, error.kind != .cancelled { fault = error }
      return ([first], isVideo: true)
    }
  }

  /// The time limit of a wait, and the check whether it was cancelled.
  private struct Wait {
    let timeout: Duration
    /// Whether the decoder is still used after a timeout, so that it must not be abandoned.
    let keepsDecoder: Bool
    let isCancelled: () -> Bool
    private let deadline: gint64

    init(timeout: Duration, keepsDecoder: Bool = false, isCancelled: @escaping () -> Bool) {
      self.timeout = timeout
      self.keepsDecoder = keepsDecoder
      self.isCancelled = isCancelled
      deadline = g_get_monotonic_time() + timeout.microseconds
    }

    /// Microseconds until the next check of the wait, or 0 after the deadline.
    var timeToNextCheck: gint64 { max(0, min(deadline - g_get_monotonic_time(), 20_000)) }
  }

  /// Throws an error if a wait was cancelled or has timed out.
  ///
  /// Abandons the decoder after a timeout, unless `wait.keepsDecoder`.
  private func checkWait(_ wait: Wait) throws(BackgroundError) {
    if wait.isCancelled() { throw .cancelled(location) }
    guard wait.timeToNextCheck == 0 else { return }
    if !wait.keepsDecoder { abandon() }
    throw .tooSlow(wait.timeout, location)
  }

  /// Pauses the pipeline, and waits until its sink has a picture or the end of the stream.
  ///
  /// Does not wait if the source is live, and sets `isLive`.
  private func preroll(_ wait: Wait) throws(BackgroundError) {
    let change = unsafe gst_element_set_state(pipeline, GST_STATE_PAUSED)
    if change == GST_STATE_CHANGE_NO_PREROLL { return isLive = true }
    while true {
      // If the state change failed, the reason is already on the bus.
      let hasFailed = change == GST_STATE_CHANGE_FAILURE
      let message = unsafe gst_bus_timed_pop_filtered(
        bus, hasFailed ? 0 : UInt(wait.timeToNextCheck) * 1000,
        GstMessageType(Self.kinds.rawValue | GST_MESSAGE_ASYNC_DONE.rawValue))
      defer { if let message = unsafe message { unsafe gst_message_unref(message) } }
      if let error = checks.error { throw error }
      guard let message = unsafe message else {
        if hasFailed { throw missing ?? failure(.failed, "cannot be opened") }
        try checkWait(wait)
        continue
      }
      if unsafe message.pointee.type == GST_MESSAGE_ASYNC_DONE { return }
      unsafe read(message)
      if let fault { throw fault }
    }
  }

  /// Whether the pipeline reports that it can seek to the start of the stream.
  var isSeekable: Bool {
    guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
    defer { unsafe gst_query_unref(query) }
    var isSeekable: gboolean = 0
    if unsafe gst_element_query(pipeline, query) != 0 {
      unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
    }
    return isSeekable != 0
  }

  /// Waits for the next picture and returns it, or nil at the end of the stream.
  private func nextPicture(_ wait: Wait) throws(BackgroundError) -> DecodedPicture? {
    while true {
      switch pull(waiting: UInt64(wait.timeToNextCheck) * 1000) {
      case .picture(let picture): return picture
      case .endOfPass, .endOfStream: return nil
      case .nothing:
        if let fault { throw fault }
        try checkWait(wait)
      }
    }
  }

  /// The result of a pull from the sink.
  enum Pulled {
    case picture(DecodedPicture)
    /// The current pass of a stream that is played in segments is at its end.
    case endOfPass
    case endOfStream
    /// There was no picture within the time limit, or the picture was refused.
    case nothing
  }

  /// Pulls the next picture, or the end of the stream, from the sink.
  ///
  /// Waits for at most `nanoseconds`. Then handles the messages that the pipeline has posted.
  func pull(waiting nanoseconds: UInt64) -> Pulled {
    defer { readBus() }
    while let object = unsafe gst_app_sink_try_pull_object(appSink, UInt(nanoseconds)) {
      if unsafe vbgfilter_is_sample(object) != 0 {
        isRestarting = false
        guard let picture = unsafe DecodedPicture(OpaquePointer(object)) else { continue }
        if let error = refusal(of: picture) {
          fault = fault ?? error
          return .nothing
        }
        return .picture(picture)
      }
      defer { unsafe gst_mini_object_unref(object) }
      switch unsafe vbgfilter_event_type(object) {
      case GST_EVENT_FLUSH_STOP: isRestarting = false
      case GST_EVENT_SEGMENT_DONE: return .endOfPass
      default: break
      }
    }
    return unsafe !isRestarting && gst_app_sink_is_eos(appSink) != 0 ? .endOfStream : .nothing
  }

  /// Returns the error for a decoded picture that must not be shown, otherwise nil.
  func refusal(of picture: DecodedPicture) -> BackgroundError? {
    picture.dynamicRange.map { .highDynamicRange($0, location) }
  }

  /// Begins the next pass of a stream that is played in segments.
  ///
  /// Call it only after `pull` has returned `endOfPass`. An earlier seek would wait until the data
  /// in the pipeline were pulled, and the pipeline could not be stopped until then.
  func beginNextPass() { seekToStart(flushing: false) }

  /// Restarts the stream after its end.
  ///
  /// Returns false if the stream cannot be restarted.
  func restart() -> Bool {
    // Query again: the MPEG-TS demuxer is not seekable until it has seen enough clock references.
    // It may have sent its first picture before.
    if loopMode == .none, !isLive, isSeekable { loopMode = .flush }
    guard loopMode != .none else { return false }
    isRestarting = true
    seekToStart(flushing: true)
    return true
  }

  /// Seeks to the start of the stream on a thread of GStreamer.
  ///
  /// The seek may wait for a decoder that never returns, so this thread must not call it.
  private func seekToStart(flushing: Bool) {
    let flags = (flushing ? 1 : 0) | (loopMode == .segment ? 2 : 0)
    // Not a pointer: its bits are the flags.
    unsafe gst_element_call_async(
      pipeline,
      { pipeline, data in
        guard let pipeline = unsafe pipeline else { return }
        let flags = Int(bitPattern: data)
        let (flushes, inSegments) = (gboolean(flags & 1), gboolean(flags >> 1 & 1))
        let isDone = unsafe vbgfilter_seek_to_start(pipeline, flushes, inSegments) != 0
        unsafe gst_element_post_message(
          pipeline,
          gst_message_new_application(
            UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self),
            gst_structure_new_empty(isDone ? "seek-done" : "seek-failed")))
      }, gpointer(bitPattern: flags), nil)
  }

  private func readBus() {
    while let message = unsafe gst_bus_pop_filtered(bus, Self.kinds) {
      unsafe read(message)
      unsafe gst_message_unref(message)
    }
    fault = fault ?? checks.error
  }

  static var kinds: GstMessageType {
    GstMessageType(
      GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ELEMENT.rawValue | GST_MESSAGE_WARNING.rawValue
        | GST_MESSAGE_APPLICATION.rawValue)
  }

  /// Handles a message: updates `missing`, `fault` and the state of a restart.
  func read(_ message: UnsafeMutablePointer<GstMessage>) {
    // A refused stream leads to further messages.
    fault = fault ?? checks.error
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ELEMENT: unsafe missing = missing ?? missingPlugin(message)
    case GST_MESSAGE_APPLICATION:
      if unsafe gst_message_has_name(message, "seek-done") != 0 {
        // The seek has discarded all earlier data, so an end of stream now belongs to the new pass.
        isRestarting = false
      } else if unsafe gst_message_has_name(message, "seek-failed") != 0 {
        hasRefusedToRestart = true
      }
    case GST_MESSAGE_ERROR: unsafe fault = fault ?? missing ?? failure(message)
    case GST_MESSAGE_WARNING: if unsafe saysNoPicture(message) { fault = fault ?? noPicture }
    default: break
    }
  }
}
