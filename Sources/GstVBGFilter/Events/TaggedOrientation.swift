import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

/// How the frames have to be turned to be upright, as the tags of their stream say.
///
/// Used on the streaming thread alone.
struct TaggedOrientation {
  private var ofStream: ImageOrientation?
  /// What the tags of the whole file or medium say.
  private var global: ImageOrientation?

  /// A tag of the stream itself wins, as in `videoflip`.
  var orientation: ImageOrientation { ofStream ?? global ?? .upright }

  /// Takes in an event of the stream: tags without an orientation leave it as it is, a new stream
  /// begins without any.
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
