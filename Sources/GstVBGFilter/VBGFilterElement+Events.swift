import CGStreamer
import GstElementSupport

extension VBGFilterElement {
  func sinkEvent(_ event: EventPointer) -> Bool {
    unsafe base.sinkEvent(take(event))
  }

  /// Takes over an event on its way downstream, and returns its replacement.
  ///
  /// The caller owns the result.
  ///
  /// Called by the thread of the event: the streaming thread if the event is serialized with the
  /// frames, else any.
  func take(_ event: EventPointer) -> EventPointer {
    unsafe see(event)
    let type = unsafe cgst_event_type(event)
    // Caps are answered by caps of the element's own.
    if type == GST_EVENT_CAPS { return unsafe event }
    let isKept = unsafe cgst_event_is_kept(event) != 0
    if isKept { unsafe state?.stickyPictures.makeRoom(for: event) }
    guard let stripped = unsafe EventPictures.removed(from: event) else { return unsafe event }
    let describesStream = type == GST_EVENT_STREAM_START || type == GST_EVENT_STREAM_COLLECTION
    // Sent again, it would begin another stream. The picture comes as a tag as well.
    let showsOriginal = !describesStream && !settings.current.hidesRoom
    if isKept, !describesStream {
      unsafe state?.stickyPictures.keep(event, without: stripped, showsOriginal: showsOriginal)
    }
    let (sent, other) = unsafe showsOriginal ? (event, stripped) : (stripped, event)
    unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(other)))
    return unsafe sent
  }
}
