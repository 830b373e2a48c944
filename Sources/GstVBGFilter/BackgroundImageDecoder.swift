import CGStreamer
import PixelTypes

/// A private pipeline that decodes the first picture of a stream.
///
/// Ownership: the pipeline belongs to this object, which takes it down in `deinit` and lets nothing
/// of it out. Made and used on one thread; the pipeline's own threads end in `deinit`.
@safe final class BackgroundImageDecoder {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let sink: UnsafeMutablePointer<GstElement>
  /// What the user wrote, for errors.
  let location: String
  // Open for as long as the pipeline may read it.
  private let file: BackgroundImageFile?
  // Whether another thread takes the pipeline down. Written before that thread has the object.
  private var isAbandoned = false

  /// Who decodes.
  enum Element: String {
    /// Whatever GStreamer finds for the stream.
    case any = "decodebin name=decoder force-sw-decoders=true"
    /// GTK's library, for PNGs of 16 bits a sample: pngdec of GStreamer 1.22 mixes up their colours,
    /// and later ones still the alpha of neighbours.
    case pixbuf = "typefind name=decoder ! gdkpixbufdec"
  }

  /// Builds a pipeline that reads an open file; `location` is what the user wrote, for the errors.
  convenience init(
    _ file: consuming BackgroundImageFile, by element: Element, location: String
  ) throws(BackgroundError) {
    let source = unsafe gst_element_factory_make("fdsrc", nil)
    if let source = unsafe source {
      unsafe gst_util_set_object_arg(
        UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), "fd",
        "\(file.descriptor)")
      // Decoders without a parser before them take one buffer for the whole picture.
      let block = file.size <= Self.wholeFileSize ? file.size : 1 << 16
      unsafe gst_base_src_set_blocksize(
        UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstBaseSrc.self), guint(block))
    }
    try unsafe self.init(source, file, element, location: location)
  }

  /// Builds a pipeline that reads whatever GStreamer finds at `uri`.
  convenience init(uri: String) throws(BackgroundError) {
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    guard let source = unsafe gst_element_make_from_uri(GST_URI_SRC, uri, nil, &error) else {
      let message = unsafe error.map { unsafe ": " + String(cString: $0.pointee.message) } ?? ""
      throw BackgroundError(
        kind: .missingPlugin, location: uri,
        reason: "cannot be opened\(message); give the path of a picture file")
    }
    try unsafe self.init(source, nil, .any, location: uri)
  }

  /// Takes over the source, a floating reference or nil.
  private init(
    _ source: UnsafeMutablePointer<GstElement>?, _ file: consuming BackgroundImageFile?,
    _ element: Element, location: String
  ) throws(BackgroundError) {
    // The text is constant: what the user wrote reaches GStreamer as a value only.
    let text = """
      \(element.rawValue) ! \
      appsink name=sink caps=video/x-raw sync=false enable-last-sample=false max-buffers=1
      """
    let made = unsafe gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, nil)
    let bin = unsafe made.map {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstBin.self)
    }
    let decoder = unsafe bin.flatMap { unsafe gst_bin_get_by_name($0, "decoder") }
    let sink = unsafe bin.flatMap { unsafe gst_bin_get_by_name($0, "sink") }
    let pad = unsafe sink.flatMap { unsafe gst_element_get_static_pad($0, "sink") }
    guard let made = unsafe made, let source = unsafe source, let decoder = unsafe decoder,
      let sink = unsafe sink, let pad = unsafe pad
    else {
      unsafe Self.release(pad)
      unsafe Self.release(sink)
      unsafe Self.release(decoder)
      unsafe Self.release(source)
      unsafe Self.release(made)
      throw BackgroundError(
        kind: .missingPlugin, location: location,
        reason: "cannot be decoded; install gstreamer1.0-plugins-base and gstreamer1.0-plugins-good"
      )
    }
    unsafe gst_object_ref_sink(made)
    unsafe pipeline = made
    unsafe self.sink = sink
    self.location = location
    self.file = file
    defer {
      unsafe gst_object_unref(pad)
      unsafe gst_object_unref(decoder)
    }
    if element == .any {
      unsafe vbgfilter_connect_autoplug_select(decoder, selectFactory, nil)
      unsafe vbgfilter_connect_element_added(decoder, refine, nil)
    }
    unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answerAllocation, nil, nil)
    unsafe gst_bin_add(bin, source)
    guard unsafe gst_element_link(source, decoder) != 0 else {
      throw failure(.notAnImage, "does not deliver bytes to decode; give a picture")
    }
  }

  deinit {
    if !isAbandoned { unsafe gst_element_set_state(pipeline, GST_STATE_NULL) }
    unsafe gst_object_unref(sink)
    unsafe gst_object_unref(pipeline)
  }

  /// Decodes until the first picture is there, for `patience` at most.
  ///
  /// Returns red, green, blue and alpha bytes, and how the stream says the picture is to be turned.
  func firstPicture(
    within patience: Duration
  ) throws(BackgroundError) -> (pixels: Raster<UInt32>, orientation: ImageOrientation?) {
    try waitForPicture(within: patience)
    let appSink = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
    guard let sample = unsafe gst_app_sink_try_pull_preroll(appSink, 0) else {
      throw noPicture
    }
    defer { unsafe gst_sample_unref(sample) }
    var info = unsafe GstVideoInfo()
    guard let caps = unsafe gst_sample_get_caps(sample),
      unsafe gst_video_info_from_caps(&info, caps) != 0,
      let buffer = unsafe gst_sample_get_buffer(sample)
    else {
      throw failure(.failed, "decodes to an unknown format; give a PNG or JPEG")
    }
    // The decoders that bring memory of their own do not ask for leave.
    let (width, height) = unsafe (Int(info.width), Int(info.height))
    guard BackgroundImage.isTaken(width: width, height: height) else {
      throw BackgroundImage.tooLarge(width: width, height: height, location)
    }
    guard let pixels = unsafe BackgroundImageConversion.makeRGBA(buffer, info) else {
      throw failure(.failed, "decodes to a format that cannot be converted; give a PNG or JPEG")
    }
    return (pixels, orientation)
  }

  /// Runs the pipeline until its sink holds a picture or the end of the stream.
  private func waitForPicture(within patience: Duration) throws(BackgroundError) {
    let deadline = g_get_monotonic_time() + gint64(patience / .microseconds(1))
    guard let bus = unsafe gst_element_get_bus(pipeline) else {
      throw failure(.failed, "cannot be decoded: GStreamer is incomplete")
    }
    defer { unsafe gst_object_unref(bus) }
    let change = unsafe gst_element_set_state(pipeline, GST_STATE_PAUSED)
    if change == GST_STATE_CHANGE_NO_PREROLL {
      throw failure(.notAnImage, "is a live source; give a picture")
    }
    let kinds = GstMessageType(
      GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ASYNC_DONE.rawValue | GST_MESSAGE_ELEMENT.rawValue
        | GST_MESSAGE_APPLICATION.rawValue | GST_MESSAGE_WARNING.rawValue)
    var missing: BackgroundError?
    while true {
      // An element that failed has said why already.
      let left = change == GST_STATE_CHANGE_FAILURE ? 0 : deadline - g_get_monotonic_time()
      let message = unsafe gst_bus_timed_pop_filtered(bus, UInt(max(0, left)) * 1000, kinds)
      guard let message = unsafe message else {
        if change == GST_STATE_CHANGE_FAILURE { throw failure(.failed, "cannot be opened") }
        abandon()
        throw failure(
          .timedOut, "took more than \(patience) to decode; give a smaller or local picture")
      }
      defer { unsafe gst_message_unref(message) }
      switch unsafe message.pointee.type {
      case GST_MESSAGE_ELEMENT: unsafe missing = missing ?? missingPlugin(message)
      case GST_MESSAGE_APPLICATION: throw unsafe tooLarge(message)
      case GST_MESSAGE_ERROR: throw unsafe missing ?? failure(message)
      case GST_MESSAGE_WARNING: if unsafe saysNoPicture(message) { throw noPicture }
      default: return
      }
    }
  }

  /// Lets a thread of GStreamer's take the pipeline down, for the decoder may never return.
  private func abandon() {
    isAbandoned = true
    // The retained reference belongs to that thread, which releases it when the pipeline is down. So
    // the file stays open until then, whenever the caller lets go of the object.
    let reference = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe gst_element_call_async(
      pipeline,
      { pipeline, _ in unsafe gst_element_set_state(pipeline, GST_STATE_NULL) },
      reference,
      { reference in
        if let reference = unsafe reference {
          unsafe Unmanaged<BackgroundImageDecoder>.fromOpaque(reference).release()
        }
      })
  }

  private static func release(_ object: UnsafeMutableRawPointer?) {
    if let object = unsafe object { unsafe gst_object_unref(object) }
  }

  /// The largest file that is handed to the decoder in one piece.
  private static let wholeFileSize = 1 << 27

  /// How the stream's tags say that the picture is to be turned.
  private var orientation: ImageOrientation? {
    guard let pad = unsafe gst_element_get_static_pad(sink, "sink") else { return nil }
    defer { unsafe gst_object_unref(pad) }
    var index: guint = 0
    var orientation: ImageOrientation?
    while let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index) {
      defer { unsafe gst_event_unref(event) }
      index += 1
      var tags: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &tags)
      var word: UnsafeMutablePointer<gchar>?
      if let tags = unsafe tags,
        unsafe gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &word) != 0,
        let word = unsafe word
      {
        unsafe orientation = ImageOrientation(tag: String(cString: word))
        unsafe g_free(word)
      }
    }
    return orientation
  }

  func failure(_ kind: BackgroundError.Kind, _ reason: String) -> BackgroundError {
    BackgroundError(kind: kind, location: location, reason: reason)
  }
}
