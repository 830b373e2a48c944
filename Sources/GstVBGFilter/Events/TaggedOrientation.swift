import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

/// The orientation in the tags of the stream.
///
/// Used on the streaming thread only.
struct TaggedOrientation {
  /// From the tags of this stream.
  private var ofStream: ImageOrientation?
  /// From the tags of the whole file.
  private var global: ImageOrientation?

  /// How to turn the frames upright: a tag of the stream wins over one of the file, as in `videoflip`.
  var orientation: ImageOrientation { ofStream ?? global ?? .upright }

  /// Reads an event: a new stream resets the orientation, tags without one keep it.
  mutating func note(_ event: EventPointer) {
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
