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
  let bus: UnsafeMutablePointer<GstBus>
  /// The location as the user wrote it, for errors.
  let location: String
  /// Whether the pipeline reads a local file, which can be reopened without a server.
  let isFile: Bool
  /// Whether gdk-pixbuf decodes the picture.
  ///
  /// Its errors do not distinguish damaged files from unsupported ones.
  let isPixbuf: Bool
  /// The count of the bytes that were read for the next picture.
  let pictureBytes: PictureBytes
  /// The duration of each picture in nanoseconds, if the file states it and the stream does not.
  let delays: [UInt64]
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
  /// Whether the stream refused a restart.
  var hasRefusedToRestart = false
  /// The first error.
  var fault: BackgroundError?
  /// The error for a missing decoder.
  ///
  /// It is reported only if decoding fails, because another decoder may be enough.
  var missing: BackgroundError?

  /// How a stream is restarted at its end.
  enum LoopMode {
    /// The stream is not restarted.
    case none
    /// A segment seek begins the next pass without a gap.
    case segment
    /// A flushing seek restarts the stream.
    case flush
  }

  /// The decoding element.
  enum Element: String {
    /// Any decoder that GStreamer finds for the stream.
    case any = "decodebin name=decoder force-sw-decoders=true"
    /// gdk-pixbuf, for files that need it according to `PictureInspection`.
    ///
    /// The library detects the format itself, and supports every format that it has a loader for.
    /// The element's pad template lists fewer formats. So `force-caps` always names a format of the
    /// template, even if the file has another one.
    case pixbuf = "typefind name=decoder force-caps=image/tiff ! gdkpixbufdec"
    /// Any source and decoder that GStreamer finds for the URI.
    case uri = "uridecodebin name=decoder force-sw-decoders=true"
  }

  /// The facts that are known about a stream before it is decoded.
  struct ProbeResult: OptionSet {
    let rawValue: Int

    /// The stream is a single picture in a file that was inspected.
    static let picture = ProbeResult(rawValue: 1)
    /// The stream is a GIF that was inspected to its end, so it is complete.
    static let wholeGIF = ProbeResult(rawValue: 2)
  }

  /// Builds a pipeline that reads the picture in an open file.
  ///
  /// `location` is the location as the user wrote it, for errors.
  convenience init(
    picture file: consuming RegularFile, by element: Element, location: String
  ) throws(BackgroundError) {
    // A decoder without a parser upstream expects the whole picture in one buffer.
    let block = file.size <= Self.wholeFileSize ? file.size : 1 << 16
    guard SpareMemory.isThere(for: 2 * block) else { throw .outOfMemory(2 * block, location) }
    try self.init(
      "fdsrc fd=\(file.descriptor) blocksize=\(block) !", file, element, knowing: .picture,
      location: location)
  }

  /// Builds a pipeline that reads the video or GIF in an open file.
  ///
  /// `location` is the location as the user wrote it, for errors.
  convenience init(
    video file: consuming RegularFile, knowing probeResult: ProbeResult, delays: [UInt64],
    location: String
  ) throws(BackgroundError) {
    guard SpareMemory.isThere(for: 0) else { throw .outOfMemory(SpareMemory.margin, location) }
    // Unlike fdsrc, filesrc lets demuxers read at any position, which makes seeking reliable.
    try self.init(
      "filesrc location=/proc/self/fd/\(file.descriptor) !", file, .any, knowing: probeResult,
      delays: delays, location: location)
  }

  /// Builds a pipeline that reads from `uri` with any source that GStreamer finds.
  convenience init(uri: String) throws(BackgroundError) {
    guard SpareMemory.isThere(for: 0) else { throw .outOfMemory(SpareMemory.margin, uri) }
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    // Create a source first, because this reports errors in the URI. The pipeline creates
    // its own source.
    guard let source = unsafe gst_element_make_from_uri(GST_URI_SRC, uri, nil, &error) else {
      let remark =
        unsafe error.map { unsafe ShownLocation(uri).remark(String(cString: $0.pointee.message)) }
        ?? ""
      throw BackgroundError(
        kind: .missingPlugin, location: uri,
        reason: "cannot be opened\(remark); use the path of a picture or video file")
    }
    unsafe gst_object_unref(gst_object_ref_sink(source))
    try self.init("", nil, .uri, location: uri)
  }

  /// Builds the pipeline.
  ///
  /// `source` is the text of the source element and its link.
  private init(
    _ source: String, _ file: consuming RegularFile?, _ element: Element,
    knowing probeResult: ProbeResult = [], delays: [UInt64] = [], location: String
  ) throws(BackgroundError) {
    // The text does not contain the user's location, which is only set as a property.
    let text = """
      \(source) \(element.rawValue) ! \
      appsink name=sink caps=video/x-raw sync=false enable-last-sample=false max-buffers=1
      """
    let made = unsafe gst_parse_launch_full(text, nil, GST_PARSE_FLAG_FATAL_ERRORS, nil)
    let bin = unsafe made.map {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstBin.self)
    }
    // If the text can be parsed, the pipeline has all of these.
    guard let made = unsafe made, let bin = unsafe bin, let bus = unsafe gst_element_get_bus(made),
      let decoder = unsafe gst_bin_get_by_name(bin, "decoder"),
      let sink = unsafe gst_bin_get_by_name(bin, "sink"),
      let pad = unsafe gst_element_get_static_pad(sink, "sink")
    else {
      throw BackgroundError(
        kind: .missingPlugin, location: location,
        reason: "cannot be decoded; install gstreamer1.0-plugins-base and gstreamer1.0-plugins-good"
      )
    }
    unsafe gst_object_ref_sink(made)
    unsafe pipeline = made
    unsafe self.sink = sink
    unsafe self.bus = bus
    self.location = location
    isFile = element != .uri
    isPixbuf = element == .pixbuf
    self.delays = delays
    pictureBytes = PictureBytes(
      limit: element == .uri ? PictureBytes.maxFromServer : PictureBytes.maxFromFile)
    self.file = file
    defer {
      unsafe gst_object_unref(pad)
      unsafe gst_object_unref(decoder)
    }
    // Not a pointer: its bits are the raw value of `probeResult`.
    let known = unsafe gpointer(bitPattern: probeResult.rawValue)
    // Not retained: `self` owns the object and outlives the pipeline's callbacks.
    let bytes = unsafe Unmanaged.passUnretained(pictureBytes).toOpaque()
    if element != .pixbuf {
      unsafe vbgfilter_connect_autoplug_select(decoder, selectFactory, known)
      unsafe vbgfilter_connect_autoplug_continue(decoder, shouldDecodeStream, nil)
      unsafe vbgfilter_connect_deep_element_added(made, configureElement, bytes)
    }
    unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answerAllocation, known, nil)
    unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, checkPicture, bytes, nil)
    // decodebin created its typefind before the signal was connected. uridecodebin creates its
    // decodebin later, so the signal reports that typefind.
    if element == .any, let finder = unsafe gst_bin_get_by_name(bin, "typefind") {
      unsafe installByteCounter(on: finder, with: bytes)
      unsafe gst_object_unref(finder)
    }
    if element == .uri {
      unsafe gst_util_set_object_arg(
        UnsafeMutableRawPointer(decoder).assumingMemoryBound(to: GObject.self), "uri", location)
    }
  }

  deinit {
    if !isAbandoned { unsafe gst_element_set_state(pipeline, GST_STATE_NULL) }
    unsafe gst_object_unref(bus)
    unsafe gst_object_unref(sink)
    unsafe gst_object_unref(pipeline)
  }

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

  /// Returns an error for this location.
  func failure(_ kind: BackgroundError.Kind, _ reason: String) -> BackgroundError {
    BackgroundError(kind: kind, location: location, reason: reason)
  }

  /// The size in bytes of the largest file that the decoder gets in one buffer.
  private static let wholeFileSize = 1 << 27
}
