import CGStreamer
import PixelTypes

/// The steps from the start of the pipeline until the content of the stream is known.
extension BackgroundDecoder {
  /// The content of a stream.
  enum Content {
    /// One picture.
    case picture(DecodedPicture)
    /// The first pictures of many.
    case video([DecodedPicture])
    /// Many, but this decoder gives no more of them: it must be reopened with one that does not
    /// play its stream in segments.
    case refusesSegments
  }

  /// Starts the pipeline and decodes until it is known whether there is more than one picture.
  ///
  /// If the stream is certainly a picture (`isPicture`), the rest of it is ignored. Takes at most
  /// `timeout`, and calls `isCancelled` regularly. `inSegments` plays the stream in segments, so
  /// that it can continue after its end.
  func open(
    isPicture: Bool, inSegments: Bool, within timeout: Duration, isCancelled: @escaping () -> Bool
  ) throws(BackgroundError) -> Content {
    let wait = Wait(timeout: timeout, isCancelled: isCancelled)
    try preroll(wait)
    if isLive {
      dropOldPictures()
    } else if isPicture || isPictureByType {
      guard let sample = unsafe gst_app_sink_try_pull_preroll(appSink, 0),
        let picture = unsafe DecodedPicture(sample)
      else { throw noPicture }
      if let error = refusal(of: picture) { throw error }
      return .picture(picture)
    } else if isSeekable {
      loopMode = inSegments ? .segment : .flush
      // Some demuxers refuse, and deliver nothing more after that.
      if inSegments, unsafe vbgfilter_seek_to_start(pipeline, 1, 1) == 0 {
        return .refusesSegments
      }
    }
    unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
    guard let first = try nextPicture(wait) else { throw noPicture }
    if isLive { return .video([first]) }
    // A stream that stalls after its first picture is a video.
    let shortWait = Wait(timeout: min(timeout, .seconds(1)), isCancelled: isCancelled)
    do throws(BackgroundError) {
      guard let second = try nextPicture(shortWait) else { return .picture(first) }
      return .video([first, second])
    } catch {
      if error.kind != .timedOut, error.kind != .cancelled { fault = error }
      return .video([first])
    }
  }

  /// The limits of a wait.
  private struct Wait {
    let timeout: Duration
    let isCancelled: () -> Bool
    private let deadline: gint64

    init(timeout: Duration, isCancelled: @escaping () -> Bool) {
      self.timeout = timeout
      self.isCancelled = isCancelled
      deadline = g_get_monotonic_time() + gint64(timeout / .microseconds(1))
    }

    /// Microseconds until the next check of the wait, or 0 if it is over.
    var slice: gint64 { max(0, min(deadline - g_get_monotonic_time(), 20_000)) }
  }

  private func checkWait(_ wait: Wait) throws(BackgroundError) {
    if wait.isCancelled() { throw failure(.cancelled, "is no longer needed") }
    guard wait.slice == 0 else { return }
    abandon()
    throw failure(
      .timedOut, "took more than \(wait.timeout) to decode; use a smaller or local one")
  }

  /// Runs the pipeline until its sink holds a picture or the end of the stream, or it is live.
  private func preroll(_ wait: Wait) throws(BackgroundError) {
    let change = unsafe gst_element_set_state(pipeline, GST_STATE_PAUSED)
    if change == GST_STATE_CHANGE_NO_PREROLL {
      isLive = true
      return
    }
    while true {
      // An element that failed has already posted the reason.
      let hasFailed = change == GST_STATE_CHANGE_FAILURE
      let message = unsafe gst_bus_timed_pop_filtered(
        bus, hasFailed ? 0 : UInt(wait.slice) * 1000,
        GstMessageType(Self.kinds.rawValue | GST_MESSAGE_ASYNC_DONE.rawValue))
      guard let message = unsafe message else {
        if hasFailed { throw missing ?? failure(.failed, "cannot be opened") }
        try checkWait(wait)
        continue
      }
      defer { unsafe gst_message_unref(message) }
      if unsafe message.pointee.type == GST_MESSAGE_ASYNC_DONE { return }
      unsafe read(message)
      if let fault { throw fault }
    }
  }

  /// Whether the stream can be played again from its start, according to its demuxer.
  var isSeekable: Bool {
    guard let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
    defer { unsafe gst_query_unref(query) }
    var isSeekable: gboolean = 0
    if unsafe gst_element_query(pipeline, query) != 0 {
      unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
    }
    return isSeekable != 0
  }

  /// The next picture, or nil at the end of the stream.
  private func nextPicture(_ wait: Wait) throws(BackgroundError) -> DecodedPicture? {
    while true {
      switch pull(waiting: UInt64(wait.slice) * 1000) {
      case .picture(let picture): return picture
      case .endOfPass, .endOfStream: return nil
      case .nothing:
        if let fault { throw fault }
        try checkWait(wait)
      }
    }
  }
}
