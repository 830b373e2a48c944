import CGStreamer
import GStreamerVideo
import InputFiles
import PixelTypes

/// A private pipeline that decodes the pictures of a stream, one after the other.
///
/// The object owns the pipeline, and stops it in `deinit`, which also ends the pipeline's threads.
/// Not thread-safe: use it on one thread at a time.
@safe final class BackgroundDecoder {
  let pipeline: UnsafeMutablePointer<GstElement>
  let sink: UnsafeMutablePointer<GstElement>
  /// The facts and findings of the pipeline's callbacks.
  let checks: StreamChecks
  // The file must stay open while the pipeline may read it.
  private let file: RegularFile?
  // Whether another thread stops the pipeline. It is set before that thread gets the object.
  private var isAbandoned = false

  /// Whether the source is live, such as a camera or a broadcast.
  var isLive = false
  /// How the stream is restarted at its end.
  var loopMode = LoopMode.none
  /// Whether the stream is being restarted, which discards the data in the pipeline.
  var isRestarting = false
  var hasRefusedToRestart = false
  var fault: BackgroundError?
  /// The error for a missing decoder.
  ///
  /// It is reported only if decoding fails, because another decoder may be enough.
  var missing: BackgroundError?

  enum LoopMode {
    case none
    /// A segment seek begins the next pass without a gap.
    case segment
    /// A flushing seek restarts the stream.
    case flush
  }

  /// Builds a pipeline that reads the picture, GIF or video in an open file.
  ///
  /// `location` is the location as the user wrote it, for errors.
  convenience init(
    _ file: consuming RegularFile, _ inspection: PictureInspection, location: String
  ) throws(BackgroundError) {
    let source: String
    if inspection.isPicture {
      // A decoder without a parser upstream expects the whole picture in one buffer.
      let block = file.size <= Self.wholeFileSize ? file.size : RegularFile.pieceSize
      guard SpareMemory.isThere(for: 2 * block) else { throw .outOfMemory(2 * block, location) }
      source = "fdsrc fd=\(file.descriptor) blocksize=\(block)"
    } else {
      // Unlike fdsrc, filesrc lets demuxers read at any position, which makes seeking reliable.
      source = "filesrc location=/proc/self/fd/\(file.descriptor)"
    }
    // gdk-pixbuf detects the format itself, and supports every format that it has a loader for. The
    // element's pad template lists fewer formats. So `force-caps` always names a format of the
    // template, even if the file has another one.
    let decoder =
      inspection.needsPixbuf
      ? "typefind name=decoder force-caps=image/tiff ! gdkpixbufdec"
      : "decodebin name=decoder force-sw-decoders=true"
    try self.init("\(source) ! \(decoder)", file, StreamChecks(location, inspection))
  }

  /// Builds a pipeline that reads from `uri` with any source that GStreamer finds.
  convenience init(uri: String) throws(BackgroundError) {
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    // Create a source first, because this reports errors in the URI. The pipeline creates
    // its own source.
    guard let source = unsafe gst_element_make_from_uri(GST_URI_SRC, uri, nil, &error) else {
      let remark =
        unsafe error.map { unsafe ShownLocation(uri).remark(String(cString: $0.pointee.message)) }
        ?? ""
      throw BackgroundError(
        .missingPlugin, uri,
        "cannot be opened\(remark); use the path of a picture or video file")
    }
    unsafe gst_object_unref(gst_object_ref_sink(source))
    try self.init("uridecodebin name=decoder force-sw-decoders=true", nil, StreamChecks(uri, nil))
  }

  /// Builds the pipeline from the text of its source and its decoder.
  private init(
    _ source: String, _ file: consuming RegularFile?, _ checks: StreamChecks
  ) throws(BackgroundError) {
    let location = checks.location
    guard SpareMemory.isThere(for: 0) else { throw .outOfMemory(SpareMemory.margin, location) }
    // The text does not contain the user's location, which is only set as a property.
    let text = """
      \(source) ! \
      appsink name=sink caps=video/x-raw sync=false enable-last-sample=false max-buffers=1
      """
    let made = unsafe gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, nil)
    let bin = unsafe made.map {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstBin.self)
    }
    // If the text can be parsed, the pipeline has all of these.
    guard let made = unsafe made, let bin = unsafe bin,
      let decoder = unsafe gst_bin_get_by_name(bin, "decoder"),
      let sink = unsafe gst_bin_get_by_name(bin, "sink"),
      let pad = unsafe gst_element_get_static_pad(sink, "sink")
    else {
      throw BackgroundError(
        .missingPlugin, location,
        "cannot be decoded; install gstreamer1.0-plugins-base and gstreamer1.0-plugins-good")
    }
    unsafe gst_object_ref_sink(made)
    unsafe pipeline = made
    unsafe self.sink = sink
    self.checks = checks
    unsafe gst_element_set_bus(made, checks.bus)
    self.file = file
    defer {
      unsafe gst_object_unref(pad)
      unsafe gst_object_unref(decoder)
    }
    // Not retained: `self` owns the object and outlives the pipeline's callbacks.
    let data = unsafe Unmanaged.passUnretained(checks).toOpaque()
    if !isPixbuf {
      unsafe vbgfilter_connect_autoplug_select(decoder, selectFactory, data)
      unsafe vbgfilter_connect_autoplug_continue(decoder, shouldDecodeStream, nil)
      unsafe vbgfilter_connect_deep_element_added(made, configureElement, data)
    }
    unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answerAllocation, data, nil)
    unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, checkPicture, data, nil)
    if !isFile {
      unsafe gst_util_set_object_arg(
        UnsafeMutableRawPointer(decoder).assumingMemoryBound(to: GObject.self), "uri", location)
    } else if let finder = unsafe gst_bin_get_by_name(bin, "typefind") {
      // decodebin created its typefind before the signal was connected. uridecodebin creates its
      // decodebin later, so the signal reports that typefind.
      unsafe installByteCounter(on: finder, with: data)
      unsafe gst_object_unref(finder)
    }
  }

  deinit {
    if !isAbandoned { unsafe gst_element_set_state(pipeline, GST_STATE_NULL) }
    unsafe gst_object_unref(sink)
    unsafe gst_object_unref(pipeline)
  }

  var location: String { checks.location }

  var bus: UnsafeMutablePointer<GstBus> { unsafe checks.bus }

  /// Whether the pipeline reads a local file, which can be reopened without a server.
  var isFile: Bool { checks.inspection != nil }

  /// Whether gdk-pixbuf decodes the picture.
  ///
  /// Its errors do not distinguish damaged files from unsupported ones.
  var isPixbuf: Bool { checks.inspection?.needsPixbuf == true }

  var appSink: UnsafeMutablePointer<GstAppSink> {
    unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAppSink.self)
  }

  /// Stops the pipeline on a thread of GStreamer, without waiting for it.
  ///
  /// Stopping the pipeline on this thread could block forever, because a decoder may never return.
  /// The pipeline must not be used after this call.
  func abandon() {
    guard !isAbandoned else { return }
    isAbandoned = true
    // That thread owns this reference, and releases it once the pipeline has stopped. So the file
    // stays open until then, even if the caller releases the object earlier.
    let reference = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe gst_element_call_async(
      pipeline,
      { pipeline, _ in unsafe gst_element_set_state(pipeline, GST_STATE_NULL) },
      reference,
      { reference in
        if let reference = unsafe reference {
          unsafe Unmanaged<BackgroundDecoder>.fromOpaque(reference).release()
        }
      })
  }

  /// The orientation from the stream's tags, or nil if no tag has one.
  var orientation: ImageOrientation? {
    guard let pad = unsafe gst_element_get_static_pad(sink, "sink") else { return nil }
    defer { unsafe gst_object_unref(pad) }
    var index: guint = 0
    var orientation: ImageOrientation?
    while let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_TAG, index) {
      defer { unsafe gst_event_unref(event) }
      index += 1
      var tags: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &tags)
      if let tags = unsafe tags, let tagged = unsafe ImageOrientation(tags: tags) {
        orientation = tagged
      }
    }
    return orientation
  }

  /// Returns whether a pipeline decodes the media type of a single picture.
  ///
  /// The decoder of such a stream may still deliver more pictures. For example, a photograph may
  /// also contain a preview or a brightness map. Thread-safe.
  static func isPictureByType(_ pipeline: UnsafeMutablePointer<GstElement>) -> Bool {
    let bin = unsafe UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    guard let finder = unsafe gst_bin_get_by_name(bin, "typefind") else { return false }
    defer { unsafe gst_object_unref(finder) }
    guard let pad = unsafe gst_element_get_static_pad(finder, "src") else { return false }
    defer { unsafe gst_object_unref(pad) }
    guard let caps = unsafe gst_pad_get_current_caps(pad) else { return false }
    defer { unsafe gst_caps_unref(caps) }
    guard let mediaType = unsafe mediaType(of: caps) else { return false }
    return mediaType.hasPrefix("image/") && mediaType != "image/gif" && mediaType != "image/webp"
  }

  func failure(_ kind: BackgroundError.Kind, _ reason: String) -> BackgroundError {
    BackgroundError(kind, location, reason)
  }

  /// The size in bytes of the largest file that the decoder gets in one buffer.
  private static let wholeFileSize = 1 << 27
}
