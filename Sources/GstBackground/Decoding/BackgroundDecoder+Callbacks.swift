import CGStreamer
import InputFiles

// Callbacks that GStreamer calls on threads of the private pipeline. They do not access the
// `BackgroundDecoder`. Most get the pipeline's `StreamChecks` as `data`, to which they report.

/// Pad probe that stops the decoder if its pictures are too large, or do not fit in the memory.
///
/// The probe answers the decoder's allocation query with a flushing pool, which gives no buffers.
/// Refusing the caps would be too late, because the decoder sees the refusal only when it pushes a
/// picture that it has already decoded.
func answerAllocation(
  pad: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?, data: gpointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let answered = unsafe probe?.pointee.data,
    let checks = unsafe StreamChecks.object(of: data)
  else { return GST_PAD_PROBE_OK }
  let query = unsafe answered.assumingMemoryBound(to: GstQuery.self)
  guard unsafe query.pointee.type == GST_QUERY_ALLOCATION else { return GST_PAD_PROBE_OK }
  var caps: UnsafeMutablePointer<GstCaps>?
  unsafe gst_query_parse_allocation(query, &caps, nil)
  var info = unsafe GstVideoInfo()
  guard let caps = unsafe caps, unsafe gst_video_info_from_caps(&info, caps) != 0 else {
    return GST_PAD_PROBE_OK
  }
  let isPicture = unsafe checks.inspection?.isSingle == true || isPictureByType(pad)
  let limit: PictureLimit = isPicture ? .still : .moving
  let refusal = unsafe limit.refusal(
    width: Int(info.width), height: Int(info.height), byteCount: Int(clamping: info.size),
    checks.location)
  guard let refusal, let pool = unsafe gst_buffer_pool_new() else { return GST_PAD_PROBE_OK }
  let size = unsafe guint(clamping: info.size)
  let configuration = unsafe gst_buffer_pool_get_config(pool)
  unsafe gst_buffer_pool_config_set_params(configuration, caps, size, 0, 0)
  unsafe gst_buffer_pool_set_config(pool, configuration)
  unsafe gst_buffer_pool_set_active(pool, 1)
  unsafe gst_buffer_pool_set_flushing(pool, 1)
  unsafe gst_query_add_allocation_pool(query, pool, size, 0, 0)
  unsafe gst_object_unref(pool)
  checks.refuse(refusal)
  return GST_PAD_PROBE_HANDLED
}

/// Pad probe that counts the bytes of buffers, and drops them once a picture exceeds the limit.
private func countBufferBytes(
  _: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?, data: gpointer?
) -> GstPadProbeReturn {
  // In pull mode the probe is also called before there is data.
  guard let probe = unsafe probe, let content = unsafe probe.pointee.data,
    let checks = unsafe StreamChecks.object(of: data)
  else { return GST_PAD_PROBE_OK }
  let isBuffer = unsafe probe.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
  let size =
    isBuffer
    ? unsafe gst_buffer_get_size(content.assumingMemoryBound(to: GstBuffer.self))
    : unsafe gst_buffer_list_calculate_size(OpaquePointer(content))
  return checks.add(Int(size)) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
}

/// Installs `countBufferBytes` on the source pad of `finder`, a typefind element.
///
/// All data pass through `finder` before they reach a decoder.
func installByteCounter(on finder: UnsafeMutablePointer<GstElement>, with data: gpointer?) {
  guard let pad = unsafe gst_element_get_static_pad(finder, "src") else { return }
  unsafe gst_pad_add_probe(
    pad,
    GstPadProbeType(
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue),
    countBufferBytes, data, nil)
  unsafe gst_object_unref(pad)
}

/// Pad probe that drops a decoded picture if there is not enough memory for the next pictures.
///
/// Without this check, a failed allocation in the decoder would end the process. The probe also
/// resets the byte count.
func checkPicture(
  _: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?, data: gpointer?
) -> GstPadProbeReturn {
  guard let picture = unsafe probe?.pointee.data, let checks = unsafe StreamChecks.object(of: data)
  else { return GST_PAD_PROBE_OK }
  checks.recordPicture()
  let size = unsafe Int(gst_buffer_get_size(picture.assumingMemoryBound(to: GstBuffer.self)))
  if SpareMemory.isThere(for: 2 * size) { return GST_PAD_PROBE_OK }
  checks.refuse(.outOfMemory(2 * size, checks.location))
  return GST_PAD_PROBE_DROP
}

/// Returns the error for a stream with `caps`, or nil if it may be decoded.
private func refusal(
  of caps: UnsafeMutablePointer<GstCaps>, _ checks: StreamChecks
) -> BackgroundError? {
  guard let structure = unsafe gst_caps_get_structure(caps, 0),
    let mediaType = unsafe mediaType(of: caps)
  else { return nil }
  // qtdemux finds no video in HEIF files, and decodebin sometimes loses its error.
  if mediaType == "video/quicktime",
    let variant = unsafe gst_structure_get_string(structure, "variant"),
    unsafe String(cString: variant) == "heif"
  {
    return .heif(checks.location)
  }
  var (width, height): (gint, gint) = (0, 0)
  unsafe gst_structure_get_int(structure, "width", &width)
  unsafe gst_structure_get_int(structure, "height", &height)
  guard width > 0, height > 0 else { return nil }
  let isMoving = checks.inspection?.isSingle != true && mediaType.hasPrefix("video/")
  let limit: PictureLimit = isMoving ? .moving : .still
  // Most pictures need about 2 bytes per pixel. If the product is too large to be useful, the
  // picture also exceeds the size limit, which is checked first.
  return limit.refusal(
    width: Int(width), height: Int(height), byteCount: 2 * Int(width) * Int(height),
    checks.location)
}

/// Returns whether the stream that ends at a sink's pad has the media type of one picture.
private func isPictureByType(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard let sink = unsafe gst_pad_get_parent_element(pad) else { return false }
  defer { unsafe gst_object_unref(sink) }
  let object = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstObject.self)
  guard let pipeline = unsafe gst_object_get_parent(object) else { return false }
  defer { unsafe gst_object_unref(pipeline) }
  return unsafe BackgroundDecoder.isPictureByType(
    UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstElement.self))
}

/// Decides whether decodebin tries a factory.
///
/// Handler of the signal `autoplug-select`. These are skipped:
///
/// - every factory, for a HEIF file, and for pictures that are too large or do not fit in the
///   memory. The allocation query would be too late for these pictures, because libav's decoders
///   allocate memory for the first picture before the query.
/// - elements that read more than their input. Demuxers of playlists open the files that a playlist
///   names.
/// - `jpegparse`, for a single picture in a file. Its Exif block has already been read. `jpegparse`
///   would read it again, and accepts an invalid block. GStreamer 1.26 puts it before the decoder,
///   GStreamer 1.22 does not.
/// - `avdec_tiff`. It decodes compressed pictures to a plain area of the background colour, and
///   fails for most others.
/// - libav's demuxers. GStreamer has its own demuxer for every common container.
///
/// `avdemux_gif` is an exception to the last rule: it is tried for a GIF that is known to be
/// complete. For a truncated file it never returns, and the pipeline cannot be stopped.
func selectFactory(
  _: UnsafeMutablePointer<GstElement>?, _: UnsafeMutablePointer<GstPad>?,
  caps: UnsafeMutablePointer<GstCaps>?, factory: OpaquePointer?, data: gpointer?
) -> gint {
  let (tryIt, skip): (gint, gint) = (0, 2)
  guard let factory = unsafe factory, let checks = unsafe StreamChecks.object(of: data) else {
    return tryIt
  }
  let factoryName = unsafe name(of: UnsafeMutableRawPointer(factory))
  if let caps = unsafe caps, let refusal = unsafe refusal(of: caps, checks) {
    checks.refuse(refusal)
    return skip
  }
  guard let kind = unsafe gst_element_factory_get_metadata(factory, "klass"),
    unsafe ElementClass.readsOnlyItsInput(String(cString: kind))
  else { return skip }
  switch factoryName {
  case "jpegparse": return checks.inspection?.isSingle == true ? skip : tryIt
  case "avdec_tiff": return skip
  case "avdemux_gif": return checks.inspection?.isGIF == true ? tryIt : skip
  default: return factoryName.hasPrefix("avdemux_") ? skip : tryIt
  }
}

/// Decides whether decodebin decodes a stream: everything except sound and text.
///
/// Handler of the signal `autoplug-continue`. Returns 0 to leave the stream undecoded.
func shouldDecodeStream(
  _: UnsafeMutablePointer<GstElement>?, _: UnsafeMutablePointer<GstPad>?,
  caps: UnsafeMutablePointer<GstCaps>?, _: gpointer?
) -> gboolean {
  guard let mediaType = unsafe caps.flatMap({ unsafe mediaType(of: $0) }) else { return 1 }
  return ["audio/", "text/", "subpicture/"].contains(where: mediaType.hasPrefix) ? 0 : 1
}

/// Configures an element that was added to the pipeline.
///
/// Handler of the signal `deep-element-added`:
///
/// - `jpegdec` gets its exact IDCT method. The default method is faster, but its samples are off by
///   up to 7.
/// - decodebin's `typefind` gets the probe that counts bytes.
func configureElement(
  _: UnsafeMutablePointer<GstBin>?, _: UnsafeMutablePointer<GstBin>?,
  element: UnsafeMutablePointer<GstElement>?, data: gpointer?
) {
  guard let element = unsafe element, let factory = unsafe gst_element_get_factory(element) else {
    return
  }
  let object = UnsafeMutableRawPointer(element)
  switch unsafe name(of: UnsafeMutableRawPointer(factory)) {
  case "jpegdec":
    unsafe gst_util_set_object_arg(
      object.assumingMemoryBound(to: GObject.self), "idct-method", "islow")
  case "typefind":
    // decodebin's typefind has this name. The typefind of uridecodebin, which is upstream of it,
    // has another name.
    if unsafe name(of: object) == "typefind" { unsafe installByteCounter(on: element, with: data) }
  default: break
  }
}

private func name(of object: UnsafeMutableRawPointer) -> String {
  let name = unsafe gst_object_get_name(object.assumingMemoryBound(to: GstObject.self))
  defer { unsafe g_free(name) }
  return unsafe name.map { unsafe String(cString: $0) } ?? ""
}

/// Returns the media type of caps, or nil if they are empty or fit all media types.
func mediaType(of caps: UnsafePointer<GstCaps>) -> String? {
  unsafe gst_caps_get_structure(caps, 0).flatMap { unsafe gst_structure_get_name($0) }
    .map { unsafe String(cString: $0) }
}
