import CGStreamer
import PixelTypes

/// A private pipeline that decodes the first picture of a stream.
///
/// Ownership: the pipeline belongs to this object, which takes it down in `deinit` and lets nothing of
/// it out but samples. Made, used and released on one thread; the pipeline's own threads end in
/// `deinit`.
@safe final class BackgroundImageDecoder {
  /// What is decoded.
  enum Source {
    /// An open file, read from its current position; stays open for as long as the decoder lives.
    case descriptor(CInt, size: Int)
    /// Anything that a GStreamer source element reads.
    case uri(String)
  }

  private let pipeline: UnsafeMutablePointer<GstElement>
  private let sink: UnsafeMutablePointer<GstElement>
  private let location: String

  /// Builds the pipeline; `location` is what the user wrote, for the errors.
  init(_ source: Source, location: String) throws(BackgroundError) {
    // The text is constant: names of files reach GStreamer as values only.
    let text = """
      decodebin name=decoder force-sw-decoders=true ! \
      appsink name=sink caps=video/x-raw sync=false enable-last-sample=false max-buffers=1
      """
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, &error)
    defer { unsafe g_clear_error(&error) }
    guard let made = unsafe made else {
      let message = unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? ""
      throw BackgroundError(
        kind: .missingPlugin, location: location,
        reason: "cannot be decoded: \(message); install gstreamer1.0-plugins-base")
    }
    unsafe gst_object_ref_sink(made)
    let bin = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstBin.self)
    guard let sink = unsafe gst_bin_get_by_name(bin, "sink") else {
      unsafe gst_object_unref(made)
      throw BackgroundError(
        kind: .failed, location: location, reason: "cannot be decoded: GStreamer is incomplete")
    }
    unsafe pipeline = made
    unsafe self.sink = sink
    self.location = location
    try unsafe connect(source, bin)
  }

  deinit {
    unsafe gst_element_set_state(pipeline, GST_STATE_NULL)
    unsafe gst_object_unref(sink)
    unsafe gst_object_unref(pipeline)
  }

  /// Decodes until the first picture is there, for `seconds` at most.
  ///
  /// Returns red, green, blue and alpha bytes. The time that the decoder still spends on bytes that
  /// it has comes on top of the limit.
  func firstPicture(seconds: Int) throws(BackgroundError) -> Raster<UInt32> {
    try waitForPicture(seconds: seconds)
    let appSink = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
    guard let sample = unsafe gst_app_sink_try_pull_preroll(appSink, 0) else {
      throw failure(.notAnImage, "contains no picture; give a picture")
    }
    defer { unsafe gst_sample_unref(sample) }
    var info = unsafe GstVideoInfo()
    guard let caps = unsafe gst_sample_get_caps(sample),
      unsafe gst_video_info_from_caps(&info, caps) != 0,
      let buffer = unsafe gst_sample_get_buffer(sample),
      let picture = unsafe BackgroundImageConversion.makeRGBA(buffer, info)
    else {
      throw failure(.failed, "decodes to a format that cannot be converted; give a PNG or JPEG")
    }
    return picture
  }

  /// Runs the pipeline until its sink holds a picture or the end of the stream.
  private func waitForPicture(seconds: Int) throws(BackgroundError) {
    let deadline = g_get_monotonic_time() + seconds * 1_000_000
    guard let bus = unsafe gst_element_get_bus(pipeline) else {
      throw failure(.failed, "cannot be decoded: GStreamer is incomplete")
    }
    defer { unsafe gst_object_unref(bus) }
    let change = unsafe gst_element_set_state(pipeline, GST_STATE_PAUSED)
    if change == GST_STATE_CHANGE_NO_PREROLL {
      throw failure(.notAnImage, "is a live source; give a picture")
    }
    var missing: MissingPlugin?
    while true {
      let left = deadline - g_get_monotonic_time()
      let message = unsafe gst_bus_timed_pop_filtered(
        bus, UInt(max(0, left)) * 1000,
        GstMessageType(
          GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_ASYNC_DONE.rawValue
            | GST_MESSAGE_ELEMENT.rawValue))
      guard let message = unsafe message else {
        throw failure(
          .timedOut, "took more than \(seconds) seconds to decode; give a smaller or local picture")
      }
      defer { unsafe gst_message_unref(message) }
      switch unsafe message.pointee.type {
      case GST_MESSAGE_ELEMENT: unsafe missing = missing ?? MissingPlugin(message)
      case GST_MESSAGE_ERROR: throw unsafe failure(message, missing)
      default: return
      }
    }
  }

  private func connect(
    _ source: Source, _ bin: UnsafeMutablePointer<GstBin>
  ) throws(BackgroundError) {
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    let element: UnsafeMutablePointer<GstElement>?
    switch source {
    case .descriptor(let descriptor, let size):
      unsafe element = gst_element_factory_make("fdsrc", nil)
      if let element = unsafe element {
        unsafe gst_util_set_object_arg(
          UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), "fd",
          "\(descriptor)")
        // Decoders without a parser before them take a buffer for a whole picture.
        let block = size <= Self.wholeFileSize ? size : 1 << 16
        unsafe gst_base_src_set_blocksize(
          UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBaseSrc.self), guint(block))
      }
    case .uri(let uri):
      unsafe element = gst_element_make_from_uri(GST_URI_SRC, uri, nil, &error)
    }
    guard let element = unsafe element, let decoder = unsafe gst_bin_get_by_name(bin, "decoder")
    else {
      let message = unsafe error.map { unsafe ": " + String(cString: $0.pointee.message) } ?? ""
      throw failure(.missingPlugin, "cannot be opened\(message); give the path of a picture file")
    }
    defer { unsafe gst_object_unref(decoder) }
    unsafe gst_bin_add(bin, element)
    guard unsafe gst_element_link(element, decoder) != 0 else {
      throw failure(.notAnImage, "does not deliver bytes to decode; give a picture")
    }
  }

  /// The largest file that is handed to the decoder in one piece.
  private static let wholeFileSize = 1 << 28

  private func failure(_ kind: BackgroundError.Kind, _ reason: String) -> BackgroundError {
    BackgroundError(kind: kind, location: location, reason: reason)
  }

  /// The reason that an error message gives.
  private func failure(
    _ message: UnsafeMutablePointer<GstMessage>, _ missing: MissingPlugin?
  ) -> BackgroundError {
    var error: UnsafeMutablePointer<GError>?
    unsafe gst_message_parse_error(message, &error, nil)
    defer { unsafe g_clear_error(&error) }
    guard let error = unsafe error else { return failure(.failed, "cannot be decoded") }
    let text = unsafe String(cString: error.pointee.message)
    let (domain, code) = unsafe (error.pointee.domain, UInt32(bitPattern: error.pointee.code))
    if let missing {
      return failure(
        .missingPlugin, "needs a GStreamer plugin for \(missing.name); \(missing.remedy)")
    }
    if domain == gst_resource_error_quark() {
      return code == GST_RESOURCE_ERROR_NOT_FOUND.rawValue
        ? failure(.notFound, "does not exist: \(text)")
        : failure(.unreadable, "cannot be read: \(text)")
    }
    if domain == gst_stream_error_quark(),
      code == GST_STREAM_ERROR_DECODE.rawValue || code == GST_STREAM_ERROR_DEMUX.rawValue
    {
      return failure(.damaged, "is damaged or cut short: \(text) Give an intact picture")
    }
    return failure(.notAnImage, "is no picture that can be decoded: \(text) Give a PNG or JPEG")
  }
}

/// What a decoder bin reports when it knows a format but has no decoder for it.
private struct MissingPlugin {
  /// What the format is called.
  let name: String
  /// What to install.
  let remedy: String

  /// Reads the report; nil when the message is another one.
  init?(_ message: UnsafeMutablePointer<GstMessage>) {
    guard let structure = unsafe gst_message_get_structure(message),
      unsafe gst_structure_has_name(structure, "missing-plugin") != 0
    else { return nil }
    let name = unsafe gst_structure_get_string(structure, "name")
    unsafe self.name = name.map { unsafe String(cString: $0) } ?? "its format"
    remedy = "install gstreamer1.0-plugins-good, gstreamer1.0-plugins-bad and gstreamer1.0-libav"
  }
}
