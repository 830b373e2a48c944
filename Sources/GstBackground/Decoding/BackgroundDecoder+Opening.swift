import CGStreamer
import PixelTypes
import Threads

/// Starts the pipeline, and determines the content of the stream.
extension BackgroundDecoder {
  /// The content of a stream.
  enum Content {
    /// The stream has one picture.
    case picture(DecodedPicture)
    /// The stream has several pictures. These are the first ones.
    case video([DecodedPicture])
    /// The stream has several pictures, but its demuxer does not support segment seeks.
    ///
    /// This decoder delivers no more pictures. Reopen the stream with `inSegments` false.
    case refusesSegments
  }

  /// Starts the pipeline and decodes until it is known whether there is more than one picture.
  ///
  /// - Parameters:
  ///   - isPicture: true if the stream is known to be a picture. All data after the first picture
  ///     are then ignored.
  ///   - inSegments: true to play the stream with segment seeks, so that it loops without a gap.
  ///   - timeout: the maximum time until the first picture. The wait for the second picture takes
  ///     at most one more second.
  ///   - isCancelled: is called regularly. If it returns true, opening ends with an error.
  /// - Returns: the content of the stream.
  /// - Throws: an error that describes the problem.
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
      // Some demuxers refuse this seek, and deliver nothing more after that.
      if inSegments, unsafe vbgfilter_seek_to_start(pipeline, 1, 1) == 0 {
        return .refusesSegments
      }
    }
    unsafe gst_element_set_state(pipeline, GST_STATE_PLAYING)
    guard let first = try nextPicture(wait) else { throw noPicture }
    if isLive { return .video([first]) }
    // A stream that stalls after its first picture counts as a video, and is decoded further.
    let shortWait = Wait(
      timeout: min(timeout, .seconds(1)), keepsDecoder: true, isCancelled: isCancelled)
    do throws(BackgroundError) {
      guard let second = try nextPicture(shortWait) else { return .picture(first) }
      return .video([first, second])
    } catch {
      if error.kind != .timedOut, error.kind != .cancelled { fault = error }
      return .video([first])
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
    if wait.isCancelled() { throw failure(.cancelled, "is no longer needed") }
    guard wait.timeToNextCheck == 0 else { return }
    if !wait.keepsDecoder { abandon() }
    throw failure(
      .timedOut, "took more than \(wait.timeout) to decode; use a smaller or a local file")
  }

  /// Pauses the pipeline, and waits until its sink has a picture or the end of the stream.
  ///
  /// Does not wait if the source is live, and sets `isLive`.
  private func preroll(_ wait: Wait) throws(BackgroundError) {
    let change = unsafe gst_element_set_state(pipeline, GST_STATE_PAUSED)
    if change == GST_STATE_CHANGE_NO_PREROLL {
      isLive = true
      return
    }
    while true {
      // If the state change failed, the reason is already on the bus.
      let hasFailed = change == GST_STATE_CHANGE_FAILURE
      let message = unsafe gst_bus_timed_pop_filtered(
        bus, hasFailed ? 0 : UInt(wait.timeToNextCheck) * 1000,
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
}
