import CGStreamer

/// The sticky events of the source pad that hold pictures, with and without these pictures.
///
/// The originals are used while the room may be visible, the copies while it is hidden.
///
/// Used on the streaming thread and, once streaming has stopped, on the thread that stops the
/// element.
@safe final class StickyPictures {
  /// Both events are owned, until they are released.
  @safe private struct Entry {
    let original: UnsafeMutablePointer<GstEvent>
    let stripped: UnsafeMutablePointer<GstEvent>
    /// Whether the original was sent last.
    var isOriginalOut: Bool

    func release() {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(original)))
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(stripped)))
    }
  }

  private var entries: [Entry] = []
  private var streamID: String?

  deinit {
    for entry in entries { entry.release() }
  }

  /// Drops the event that `event` replaces, and the tags of an earlier stream.
  func makeRoom(for event: UnsafeMutablePointer<GstEvent>) {
    let type = unsafe cgst_event_type(event)
    if type == GST_EVENT_STREAM_START {
      var text: UnsafePointer<CChar>?
      unsafe gst_event_parse_stream_start(event, &text)
      let id = unsafe text.map { unsafe String(cString: $0) }
      if id != streamID { unsafe remove { unsafe cgst_event_type($0) == GST_EVENT_TAG } }
      streamID = id
    }
    guard let structure = unsafe gst_event_get_structure(event),
      let name = unsafe gst_structure_get_name(structure)
    else { return }
    unsafe remove { unsafe cgst_event_type($0) == type && gst_event_has_name($0, name) != 0 }
  }

  /// Keeps an event and its copy without pictures, one of which is sent now.
  func keep(
    _ original: UnsafeMutablePointer<GstEvent>, without stripped: UnsafeMutablePointer<GstEvent>,
    showsOriginal: Bool
  ) {
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(original)))
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(stripped)))
    unsafe entries.append(
      Entry(original: original, stripped: stripped, isOriginalOut: showsOriginal))
  }

  /// Sends the originals or the stripped copies again, if the other ones were sent last.
  ///
  /// `send` takes the event over.
  func show(_ showsOriginals: Bool, send: (UnsafeMutablePointer<GstEvent>) -> Void) {
    for index in entries.indices where entries[index].isOriginalOut != showsOriginals {
      entries[index].isOriginalOut = showsOriginals
      let event = unsafe showsOriginals ? entries[index].original : entries[index].stripped
      unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(event)))
      unsafe send(event)
    }
  }

  private func remove(where isOld: (UnsafeMutablePointer<GstEvent>) -> Bool) {
    entries.removeAll { entry in
      guard unsafe isOld(entry.original) else { return false }
      entry.release()
      return true
    }
  }
}
