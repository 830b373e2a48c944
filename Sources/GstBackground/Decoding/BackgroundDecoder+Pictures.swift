import CGStreamer

/// The pictures of a running pipeline, and its beginning anew.
extension BackgroundDecoder {
  /// What the sink gave.
  enum Pulled {
    case picture(DecodedPicture)
    /// The stream is at its end and goes on behind it.
    case endOfPass
    /// The stream is at its end.
    case endOfStream
    case nothing
  }

  /// Takes the next picture, in the stream's order with its ends; waits for so many nanoseconds.
  ///
  /// Whatever the pipeline has to say meanwhile is taken note of.
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

  /// Goes on behind the end of a pass.
  ///
  /// To be called once its end has come through the pipeline. Done earlier, a seek would wait for what
  /// is on its way, and nothing could be done to the pipeline meanwhile, not even take it down.
  func beginNextPass() {
    seekToStart(flushing: false)
  }

  /// Begins the stream anew at its end; false when it cannot be.
  func restart() -> Bool {
    // Asked once more: the demuxer of MPEG-TS says no while it has seen too few clock references, as
    // it may have when its first picture is there.
    if loopMode == .none, !isLive, isSeekable { loopMode = .flush }
    guard loopMode != .none else { return false }
    isRestarting = true
    seekToStart(flushing: true)
    return true
  }

  /// Seeking may wait for a decoder that never returns, so a thread of GStreamer's does it.
  private func seekToStart(flushing: Bool) {
    let flags = (flushing ? 1 : 0) | (loopMode == .segment ? 2 : 0)
    // Not a pointer to anything: the flags are all that there is to tell.
    unsafe gst_element_call_async(
      pipeline,
      { pipeline, data in
        guard let pipeline = unsafe pipeline else { return }
        let flags = Int(bitPattern: data)
        let (flushes, inSegments) = (gboolean(flags & 1), gboolean(flags >> 1 & 1))
        let isDone = unsafe vbgfilter_seek_to_start(pipeline, flushes, inSegments) != 0
        unsafe BackgroundDecoder.say(isDone ? "seek-done" : "seek-failed", by: pipeline)
      }, gpointer(bitPattern: flags), nil)
  }

  /// Takes note of what the pipeline has said.
  private func readBus() {
    while let message = unsafe gst_bus_pop_filtered(bus, Self.kinds) {
      unsafe read(message)
      unsafe gst_message_unref(message)
    }
  }

  /// The messages that are looked at.
  static var kinds: GstMessageType {
    GstMessageType(
      GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ELEMENT.rawValue | GST_MESSAGE_WARNING.rawValue
        | GST_MESSAGE_APPLICATION.rawValue)
  }

  /// Takes note of a message.
  func read(_ message: UnsafeMutablePointer<GstMessage>) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ELEMENT: unsafe missing = missing ?? missingPlugin(message)
    case GST_MESSAGE_APPLICATION:
      if unsafe gst_message_has_name(message, "seek-done") != 0 {
        // What was on its way is gone by now, and if there is an end it is that of the new pass.
        isRestarting = false
      } else if unsafe gst_message_has_name(message, "seek-failed") != 0 {
        hasRefusedToRestart = true
      } else {
        unsafe fault = fault ?? application(message)
      }
    case GST_MESSAGE_ERROR: unsafe fault = fault ?? missing ?? failure(message)
    case GST_MESSAGE_WARNING: if unsafe saysNoPicture(message) { fault = fault ?? noPicture }
    default: break
    }
  }

  private static func say(_ what: String, by pipeline: UnsafeMutablePointer<GstElement>) {
    unsafe gst_element_post_message(
      pipeline,
      gst_message_new_application(
        UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self),
        gst_structure_new_empty(what)))
  }
}
