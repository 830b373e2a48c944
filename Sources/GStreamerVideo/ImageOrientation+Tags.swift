import CGStreamer
import PixelTypes

extension ImageOrientation {
  /// Reads the tag `image-orientation`, or returns nil if it is missing or unknown.
  ///
  /// Safety: `tags` must be valid during the call.
  package init?(tags: UnsafePointer<GstTagList>) {
    var word: UnsafeMutablePointer<gchar>?
    guard unsafe gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &word) != 0,
      let word = unsafe word
    else { return nil }
    defer { unsafe g_free(word) }
    unsafe self.init(tag: String(cString: word))
  }
}
