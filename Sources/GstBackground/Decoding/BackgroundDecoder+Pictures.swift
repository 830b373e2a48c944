import CGStreamer

/// The pictures of a running pipeline, and its restarts.
extension BackgroundDecoder {
  /// The result of a pull from the sink.
  enum Pulled {
    /// The next picture was pulled.
    case picture(DecodedPicture)
    /// The current pass of a stream that is played in segments is at its end.
    case endOfPass
    /// The stream is at its end.
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
  func beginNextPass() {
    seekToStart(flushing: false)
  }

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
        unsafe BackgroundDecoder.postApplicationMessage(
          isDone ? "seek-done" : "seek-failed", from: pipeline)
      }, gpointer(bitPattern: flags), nil)
  }

  /// Handles all messages on the pipeline's bus.
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

  /// Handles a message: updates `missing`, `fault` and the state of a restart.
  func read(_ message: UnsafeMutablePointer<GstMessage>) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ELEMENT: unsafe missing = missing ?? missingPlugin(message)
    case GST_MESSAGE_APPLICATION:
      if unsafe gst_message_has_name(message, "seek-done") != 0 {
        // The seek has discarded all earlier data, so an end of stream now belongs to the new pass.
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

  /// Posts an application message without fields.
  private static func postApplicationMessage(
    _ name: String, from pipeline: UnsafeMutablePointer<GstElement>
  ) {
    unsafe gst_element_post_message(
      pipeline,
      gst_message_new_application(
        UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstObject.self),
        gst_structure_new_empty(name)))
  }
}
