import CGStreamer

/// The pictures of a running pipeline, and its restarts.
extension BackgroundDecoder {
  /// The result of a pull from the sink.
  enum Pulled {
    case picture(DecodedPicture)
    /// The stream is at its end and continues with another pass.
    case endOfPass
    /// The stream is at its end.
    case endOfStream
    case nothing
  }

  /// Takes the next picture or end of the stream, in order.
  ///
  /// Waits for at most `nanoseconds`.
  ///
  /// Handles the messages that the pipeline posts meanwhile.
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

  /// Continues after the end of a pass.
  ///
  /// Call it after the end has come through the pipeline. Earlier, a seek would wait for the data
  /// on its way. Meanwhile nothing could be done to the pipeline, and it could not even be taken
  /// down.
  func beginNextPass() {
    seekToStart(flushing: false)
  }

  /// Restarts the stream at its end.
  ///
  /// Returns false if that is not possible.
  func restart() -> Bool {
    // Query again: the demuxer of MPEG-TS refuses while it has seen too few clock references, which
    // may still be so when its first picture arrives.
    if loopMode == .none, !isLive, isSeekable { loopMode = .flush }
    guard loopMode != .none else { return false }
    isRestarting = true
    seekToStart(flushing: true)
    return true
  }

  /// Seeking may wait for a decoder that never returns, so a thread of GStreamer's does it.
  private func seekToStart(flushing: Bool) {
    let flags = (flushing ? 1 : 0) | (loopMode == .segment ? 2 : 0)
    // Not a pointer to anything: it only carries the flags.
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

  /// Handles the messages of the pipeline.
  private func readBus() {
    while let message = unsafe gst_bus_pop_filtered(bus, Self.kinds) {
      unsafe read(message)
      unsafe gst_message_unref(message)
    }
  }

  /// The message types that are handled.
  static var kinds: GstMessageType {
    GstMessageType(
      GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ELEMENT.rawValue | GST_MESSAGE_WARNING.rawValue
        | GST_MESSAGE_APPLICATION.rawValue)
  }

  /// Handles a message.
  func read(_ message: UnsafeMutablePointer<GstMessage>) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ELEMENT: unsafe missing = missing ?? missingPlugin(message)
    case GST_MESSAGE_APPLICATION:
      if unsafe gst_message_has_name(message, "seek-done") != 0 {
        // Earlier data is gone by now. If there is an end, it belongs to the new pass.
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
