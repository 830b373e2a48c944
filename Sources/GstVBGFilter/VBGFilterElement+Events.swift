import CGStreamer
import GstElementSupport

extension VBGFilterElement {
  /// Handles an event from upstream, takes ownership of it, and returns whether that succeeded.
  func sinkEvent(_ event: EventPointer) -> Bool {
    unsafe base.sinkEvent(take(event))
  }

  /// Takes ownership of a downstream event, and returns the event to send instead.
  ///
  /// Returns the same event, or a copy without pictures if the event may show the real background
  /// and the settings hide it. The caller owns the result.
  ///
  /// Called on the streaming thread if the event is serialized with the frames, otherwise on any
  /// thread.
  func take(_ event: EventPointer) -> EventPointer {
    unsafe see(event)
    let type = unsafe cgst_event_type(event)
    // The base class does not forward this event: it sends the negotiated output caps instead.
    if type == GST_EVENT_CAPS { return unsafe event }
    let isKept = unsafe cgst_event_is_kept(event) != 0
    if isKept { unsafe state?.stickyPictures.removeEntries(replacedBy: event) }
    guard let stripped = unsafe EventPictures.copyWithoutPictures(of: event) else {
      return unsafe event
    }
    let describesStream = type == GST_EVENT_STREAM_START || type == GST_EVENT_STREAM_COLLECTION
    // Always send the copy of these events: sending the original later would begin another stream.
    // Downstream loses nothing, because the picture also comes as a tag.
    let sendsOriginal = !describesStream && !settings.current.hidesRoom
    if isKept, !describesStream {
      unsafe state?.stickyPictures.add(
        original: event, stripped: stripped, sendsOriginal: sendsOriginal)
    }
    let (sent, unsent) = unsafe sendsOriginal ? (event, stripped) : (stripped, event)
    unsafe unref(unsent)
    return unsafe sent
  }
}
