import CGStreamer
import GStreamerVideo
import GstElementSupport
import PixelTypes

/// The orientation from the tags of the stream.
///
/// Used only on the streaming thread.
struct TaggedOrientation {
  /// The orientation from tags with stream scope.
  private var ofStream: ImageOrientation?
  /// The orientation from tags with global scope, which describe the whole file.
  private var global: ImageOrientation?

  /// The rotation or flip that makes frames upright.
  ///
  /// A stream tag overrides a global tag, as in `videoflip`.
  var orientation: ImageOrientation { ofStream ?? global ?? .upright }

  /// Updates the orientation from a tag event, unless its tags contain no orientation.
  mutating func record(_ event: EventPointer) {
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
  }
}
