import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

/// The orientation in the tags of the stream.
///
/// Used on the streaming thread only.
struct TaggedOrientation {
  /// From tags with the scope of the stream.
  private var ofStream: ImageOrientation?
  /// From tags with global scope, which describe the whole file.
  private var global: ImageOrientation?

  /// The rotation that makes frames upright: a stream tag overrides a global tag, as in
  /// `videoflip`.
  var orientation: ImageOrientation { ofStream ?? global ?? .upright }

  /// Updates the orientation from an event.
  ///
  /// A new stream resets the orientation. Tag lists without an orientation do not change it.
  mutating func record(_ event: EventPointer) {
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_STREAM_START:
      self = TaggedOrientation()
    case GST_EVENT_TAG:
      var tags: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &tags)
      guard let tags = unsafe tags, let orientation = unsafe ImageOrientation(tags: tags) else {
        return
      }
      if unsafe gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_GLOBAL {
        global = orientation
      } else {
        ofStream = orientation
      }
    default:
      break
    }
  }
}
