import CGStreamer

/// Sticky events of the source pad that contain pictures, each with a copy without pictures.
///
/// The originals are sent while the real background may be visible, the copies while it is hidden.
///
/// Not thread-safe: used on the streaming thread, and after streaming on the thread that stops the
/// element.
@safe final class StickyPictures {
  /// An event and its copy without pictures, which the entry owns a reference to.
  @safe private final class Entry {
    let original: UnsafeMutablePointer<GstEvent>
    let stripped: UnsafeMutablePointer<GstEvent>
    /// Whether the event that was sent last is the original.
    var wasOriginalSentLast: Bool

    init(
      original: UnsafeMutablePointer<GstEvent>, stripped: UnsafeMutablePointer<GstEvent>,
      wasOriginalSentLast: Bool
    ) {
      unsafe self.original = ref(original)
      unsafe self.stripped = ref(stripped)
      self.wasOriginalSentLast = wasOriginalSentLast
    }

    deinit {
      unsafe unref(original)
      unsafe unref(stripped)
    }
  }

  private var entries: [Entry] = []
  /// The ID from the last stream-start event.
  private var streamID: String?

  /// Removes the entries that the sticky event `event` makes obsolete.
  ///
  /// These are the entries with the type and name of `event`. If `event` starts a stream with
  /// another ID, they also include all tags.
  func removeEntries(replacedBy event: UnsafeMutablePointer<GstEvent>) {
    let type = unsafe cgst_event_type(event)
    if type == GST_EVENT_STREAM_START {
      var text: UnsafePointer<CChar>?
      unsafe gst_event_parse_stream_start(event, &text)
      let id = unsafe text.map { unsafe String(cString: $0) }
      if id != streamID {
        entries.removeAll { unsafe cgst_event_type($0.original) == GST_EVENT_TAG }
      }
      streamID = id
    }
    guard let structure = unsafe gst_event_get_structure(event),
      let name = unsafe gst_structure_get_name(structure)
    else { return }
    entries.removeAll {
      unsafe cgst_event_type($0.original) == type && gst_event_has_name($0.original, name) != 0
    }
  }

  /// Adds an event and its copy without pictures, and takes a reference to each.
  ///
  /// `sendsOriginal` is true if the caller sends the original now, and false if it sends the copy.
  func add(
    original: UnsafeMutablePointer<GstEvent>, stripped: UnsafeMutablePointer<GstEvent>,
    sendsOriginal: Bool
  ) {
    unsafe entries.append(
      Entry(original: original, stripped: stripped, wasOriginalSentLast: sendsOriginal))
  }

  /// Switches between the originals and the copies.
  ///
  /// Sends the original of each entry if `toOriginals` is true, otherwise its copy. Skips entries
  /// that already sent this event last. `send` takes ownership of its argument.
  func switchEvents(toOriginals: Bool, send: (UnsafeMutablePointer<GstEvent>) -> Void) {
    for index in entries.indices where entries[index].wasOriginalSentLast != toOriginals {
      entries[index].wasOriginalSentLast = toOriginals
      unsafe send(ref(toOriginals ? entries[index].original : entries[index].stripped))
    }
  }
}
