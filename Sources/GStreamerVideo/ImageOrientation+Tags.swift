import CGStreamer
import PixelTypes

extension ImageOrientation {
  /// The orientation that a list of tags asks for; nil when it has none that GStreamer knows.
  ///
  /// Safety: `tags` are valid during the call.
  package init?(tags: UnsafePointer<GstTagList>) {
    var word: UnsafeMutablePointer<gchar>?
    guard unsafe gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &word) != 0,
      let word = unsafe word
    else { return nil }
    defer { unsafe g_free(word) }
    unsafe self.init(tag: String(cString: word))
  }
}
