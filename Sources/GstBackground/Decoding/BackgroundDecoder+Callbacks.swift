import CGStreamer
import PictureFiles

// Called by GStreamer on threads of the private pipeline. They keep nothing and share nothing with
// the decoder: they report to it over the pipeline's bus.

/// Answers an allocation query for pictures that are too large with a pool that gives no memory.
///
/// Does the same if there is not enough memory for the pictures.
///
/// Refusing the caps would be too late: the decoder hears of it only when it pushes the picture
/// that it has decoded. `data` is a `BackgroundDecoder.ProbeResult` in place of a pointer.
func answerAllocation(
  pad: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?, data: gpointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let answered = unsafe probe?.pointee.data else {
    return GST_PAD_PROBE_OK
  }
  let query = unsafe answered.assumingMemoryBound(to: GstQuery.self)
  guard unsafe query.pointee.type == GST_QUERY_ALLOCATION else { return GST_PAD_PROBE_OK }
  var caps: UnsafeMutablePointer<GstCaps>?
  unsafe gst_query_parse_allocation(query, &caps, nil)
  var info = unsafe GstVideoInfo()
  guard let caps = unsafe caps, unsafe gst_video_info_from_caps(&info, caps) != 0 else {
    return GST_PAD_PROBE_OK
  }
  let (width, height) = unsafe (Int(info.width), Int(info.height))
  let isPicture =
    BackgroundDecoder.ProbeResult(rawValue: Int(bitPattern: data)).contains(.picture)
  let limit: PictureLimit = unsafe isPicture || isPictureByType(pad) ? .still : .moving
  let refusal = limit.refusal(
    width: width, height: height, byteCount: unsafe Int(clamping: info.size))
  guard let refusal, let pool = unsafe gst_buffer_pool_new() else { return GST_PAD_PROBE_OK }
  let size = unsafe guint(clamping: info.size)
  let configuration = unsafe gst_buffer_pool_get_config(pool)
  unsafe gst_buffer_pool_config_set_params(configuration, caps, size, 0, 0)
  unsafe gst_buffer_pool_set_config(pool, configuration)
  unsafe gst_buffer_pool_set_active(pool, 1)
  unsafe gst_buffer_pool_set_flushing(pool, 1)
  unsafe gst_query_add_allocation_pool(query, pool, size, 0, 0)
  unsafe gst_object_unref(pool)
  unsafe post(refusal, at: pad)
  return GST_PAD_PROBE_HANDLED
}

/// Pad probe that stops a picture without an end.
///
/// `data` is the pipeline's `PictureBytes`.
private func countBytes(
  pad: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?, data: gpointer?
) -> GstPadProbeReturn {
  // In pull mode the probe is also called before there is data.
  guard let pad = unsafe pad, let probe = unsafe probe, let taken = unsafe probe.pointee.data,
    let bytes = unsafe PictureBytes.object(of: data)
  else { return GST_PAD_PROBE_OK }
  let isBuffer = unsafe probe.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
  let size =
    isBuffer
    ? unsafe gst_buffer_get_size(taken.assumingMemoryBound(to: GstBuffer.self))
    : unsafe gst_buffer_list_calculate_size(OpaquePointer(taken))
  if bytes.add(Int(size)) { return GST_PAD_PROBE_OK }
  unsafe post("no-end, bytes=(gint64)\(bytes.limit)", at: pad)
  return GST_PAD_PROBE_DROP
}

/// Counts the bytes that leave `finder`, a typefind element in front of all decoders.
func countBytes(
  behind finder: UnsafeMutablePointer<GstElement>, with data: gpointer?
) {
  guard let pad = unsafe gst_element_get_static_pad(finder, "src") else { return }
  unsafe gst_pad_add_probe(
    pad,
    GstPadProbeType(
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue),
    countBytes, data, nil)
  unsafe gst_object_unref(pad)
}

/// Drops a picture if there is not enough memory for the next ones.
///
/// Otherwise the decoder would end the process.
///
/// `data` is the pipeline's `PictureBytes`, which starts to count again.
func checkPicture(
  pad: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?, data: gpointer?
) -> GstPadProbeReturn {
  unsafe PictureBytes.object(of: data)?.recordPicture()
  guard let pad = unsafe pad, let picture = unsafe probe?.pointee.data else {
    return GST_PAD_PROBE_OK
  }
  let size = unsafe Int(gst_buffer_get_size(picture.assumingMemoryBound(to: GstBuffer.self)))
  if SpareMemory.isThere(for: 2 * size) { return GST_PAD_PROBE_OK }
  unsafe post("out-of-memory, size=(gint64)\(2 * size)", at: pad)
  return GST_PAD_PROBE_DROP
}

/// Posts a serialized structure as an application message of a pad's element.
private func post(_ structure: String, at pad: UnsafeMutablePointer<GstPad>) {
  guard let element = unsafe gst_pad_get_parent_element(pad) else { return }
  unsafe post(structure, by: element)
  unsafe gst_object_unref(element)
}

/// Posts a serialized structure as an application message.
private func post(_ structure: String, by element: UnsafeMutablePointer<GstElement>) {
  unsafe gst_element_post_message(
    element,
    gst_message_new_application(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self),
      gst_structure_from_string(structure, nil)))
}

/// Returns the reason not to decode a stream with `caps`, as a serialized structure.
///
/// Returns nil if the caps give no such reason.
private func refusal(of caps: UnsafeMutablePointer<GstCaps>, isPicture: Bool) -> String? {
  guard let structure = unsafe gst_caps_get_structure(caps, 0),
    let name = unsafe gst_structure_get_name(structure)
  else { return nil }
  let mediaType = unsafe String(cString: name)
  // qtdemux finds no video in HEIF files, and decodebin sometimes loses its error.
  if mediaType == "video/quicktime",
    let variant = unsafe gst_structure_get_string(structure, "variant"),
    unsafe String(cString: variant) == "heif"
  {
    return "heif"
  }
  var (width, height): (gint, gint) = (0, 0)
  unsafe gst_structure_get_int(structure, "width", &width)
  unsafe gst_structure_get_int(structure, "height", &height)
  guard width > 0, height > 0 else { return nil }
  let isMoving = !isPicture && mediaType.hasPrefix("video/")
  let limit: PictureLimit = isMoving ? .moving : .still
  // 2 bytes per pixel is an estimate that fits most pictures. The product is ignored if a picture
  // exceeds the limit.
  return limit.refusal(
    width: Int(width), height: Int(height), byteCount: 2 * Int(width) * Int(height))
}

extension PictureLimit {
  /// The refusal of pictures of a size, as a serialized structure, or nil if they are decoded.
  fileprivate func refusal(width: Int, height: Int, byteCount: Int) -> String? {
    if !allows(width: width, height: height) {
      return "too-large, width=(int)\(width), height=(int)\(height), limit=(int)\(rawValue)"
    }
    // Decoders of videos keep many pictures, of large ones as few as they can.
    let pictures = max(4 * byteCount, min(24 * byteCount, 256 << 20))
    return SpareMemory.isThere(for: pictures) ? nil : "out-of-memory, size=(gint64)\(pictures)"
  }
}

/// Whether the stream that ends at the pad of a sink is a single picture by its type.
private func isPictureByType(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard let sink = unsafe gst_pad_get_parent_element(pad) else { return false }
  defer { unsafe gst_object_unref(sink) }
  let object = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstObject.self)
  guard let pipeline = unsafe gst_object_get_parent(object) else { return false }
  defer { unsafe gst_object_unref(pipeline) }
  return unsafe BackgroundDecoder.isPictureByType(
    UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self))
}

/// Keeps libav's demuxers out of the pipeline.
///
/// GStreamer has its own demuxer for every common container. libav's demuxer for GIF does not
/// return from a file that is cut short, and does not let the pipeline stop. So it is used only for
/// a file that was found to be whole.
///
/// The Exif block of a picture in a file has been read already. The parser of JPEG, which GStreamer
/// 1.26 puts before the decoder and 1.22 does not, would read it again, and believe an invalid one.
///
/// `avdec_tiff` is skipped: compressed pictures come out as the background colour, and most others
/// fail.
///
/// Demuxers of playlists, which open the files that these name, are kept out as well.
///
/// Pictures that are too large are refused here too, before there is a decoder: libav's allocates
/// memory for its first picture before it sends an allocation query.
///
/// `data` is a `BackgroundDecoder.ProbeResult` in place of a pointer.
func selectFactory(
  decodebin: UnsafeMutablePointer<GstElement>?, _: UnsafeMutablePointer<GstPad>?,
  caps: UnsafeMutablePointer<GstCaps>?, factory: OpaquePointer?, data: gpointer?
) -> gint {
  let (tryIt, skip): (gint, gint) = (0, 2)
  guard let factory = unsafe factory,
    let name = unsafe gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))
  else { return tryIt }
  defer { unsafe g_free(name) }
  let factoryName = unsafe String(cString: name)
  let known = BackgroundDecoder.ProbeResult(rawValue: Int(bitPattern: data))
  if let decodebin = unsafe decodebin, let caps = unsafe caps,
    let refusal = unsafe refusal(of: caps, isPicture: known.contains(.picture))
  {
    unsafe post(refusal, by: decodebin)
    return skip
  }
  guard let kind = unsafe gst_element_factory_get_metadata(factory, "klass"),
    unsafe ElementClass.readsOnlyItsInput(String(cString: kind))
  else { return skip }
  switch factoryName {
  case "jpegparse": return known.contains(.picture) ? skip : tryIt
  case "avdec_tiff": return skip
  case "avdemux_gif": return known.contains(.wholeGIF) ? tryIt : skip
  default: return factoryName.hasPrefix("avdemux_") ? skip : tryIt
  }
}

/// Leaves sound and text undecoded: they are not shown.
func decodesStream(
  _: UnsafeMutablePointer<GstElement>?, _: UnsafeMutablePointer<GstPad>?,
  caps: UnsafeMutablePointer<GstCaps>?, _: gpointer?
) -> gboolean {
  guard let caps = unsafe caps,
    let name = unsafe gst_caps_get_structure(caps, 0).flatMap({ unsafe gst_structure_get_name($0) })
  else { return 1 }
  let mediaType = unsafe String(cString: name)
  return ["audio/", "text/", "subpicture/"].contains(where: mediaType.hasPrefix) ? 0 : 1
}

/// Sets up new elements of the pipeline: makes jpegdec exact, and counts the bytes of a stream.
///
/// The default IDCT method of jpegdec is faster, but its samples are off by up to 7. `data` is the
/// pipeline's `PictureBytes`.
func refine(
  _: UnsafeMutablePointer<GstBin>?, _: UnsafeMutablePointer<GstBin>?,
  element: UnsafeMutablePointer<GstElement>?, data: gpointer?
) {
  guard let element = unsafe element, let factory = unsafe gst_element_get_factory(element),
    let name = unsafe gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))
  else { return }
  defer { unsafe g_free(name) }
  let object = UnsafeMutableRawPointer(element)
  switch unsafe String(cString: name) {
  case "jpegdec":
    unsafe gst_util_set_object_arg(
      object.assumingMemoryBound(to: GObject.self), "idct-method", "islow")
  case "typefind":
    // Only decodebin's typefind has this name. The one in front of it, uridecodebin's, does not.
    let name = unsafe gst_object_get_name(object.assumingMemoryBound(to: GstObject.self))
    defer { unsafe g_free(name) }
    if let name = unsafe name, unsafe String(cString: name) == "typefind" {
      unsafe countBytes(behind: element, with: data)
    }
  default: break
  }
}
