import CGStreamer

// Called by GStreamer on threads of the private pipeline. They keep nothing and share nothing with
// the decoder: what they have to say goes over the pipeline's bus.

/// Answers a decoder that asks for memory for pictures that are too large with a pool that gives none.
///
/// Refusing the caps would be too late: the decoder hears of it only when it pushes the picture that
/// it has decoded.
func answerAllocation(
  pad: UnsafeMutablePointer<GstPad>?, probe: UnsafeMutablePointer<GstPadProbeInfo>?,
  _: gpointer?
) -> GstPadProbeReturn {
  guard let data = unsafe probe?.pointee.data else { return GST_PAD_PROBE_OK }
  let query = unsafe data.assumingMemoryBound(to: GstQuery.self)
  guard unsafe query.pointee.type == GST_QUERY_ALLOCATION else { return GST_PAD_PROBE_OK }
  var caps: UnsafeMutablePointer<GstCaps>?
  unsafe gst_query_parse_allocation(query, &caps, nil)
  var info = unsafe GstVideoInfo()
  guard let caps = unsafe caps, unsafe gst_video_info_from_caps(&info, caps) != 0,
    unsafe !BackgroundImage.isTaken(width: Int(info.width), height: Int(info.height)),
    let pool = unsafe gst_buffer_pool_new()
  else { return GST_PAD_PROBE_OK }
  let size = unsafe guint(clamping: info.size)
  let configuration = unsafe gst_buffer_pool_get_config(pool)
  unsafe gst_buffer_pool_config_set_params(configuration, caps, size, 0, 0)
  unsafe gst_buffer_pool_set_config(pool, configuration)
  unsafe gst_buffer_pool_set_active(pool, 1)
  unsafe gst_buffer_pool_set_flushing(pool, 1)
  unsafe gst_query_add_allocation_pool(query, pool, size, 0, 0)
  unsafe gst_object_unref(pool)
  if let sink = unsafe gst_pad_get_parent_element(pad) {
    let report = unsafe gst_structure_from_string(
      "too-large, width=(int)\(info.width), height=(int)\(info.height)", nil)
    unsafe gst_element_post_message(
      sink,
      gst_message_new_application(
        UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstObject.self), report))
    unsafe gst_object_unref(sink)
  }
  return GST_PAD_PROBE_HANDLED
}

/// Keeps libav's demuxers out of the pipeline; every common container has one of GStreamer's own.
///
/// That of GIF does not return from a file that is cut short, and does not let the pipeline stop. So it
/// is used for a file that was found to be whole.
///
/// Of a picture in a file the Exif block has been read already. The parser of JPEG, which GStreamer
/// 1.26 puts before the decoder and 1.22 does not, would read it again, and believe one that is not
/// valid.
///
/// `data` is a `BackgroundDecoder.Foreknowledge` in place of a pointer.
func selectFactory(
  _: UnsafeMutablePointer<GstElement>?, _: UnsafeMutablePointer<GstPad>?,
  _: UnsafeMutablePointer<GstCaps>?, factory: OpaquePointer?, data: gpointer?
) -> gint {
  let (tryIt, skip): (gint, gint) = (0, 2)
  guard let factory = unsafe factory,
    let name = unsafe gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))
  else { return tryIt }
  defer { unsafe g_free(name) }
  let factoryName = unsafe String(cString: name)
  switch BackgroundDecoder.Foreknowledge(rawValue: Int(bitPattern: data)) {
  case .picture where factoryName == "jpegparse": return skip
  case .wholeGIF where factoryName == "avdemux_gif": return tryIt
  default: return factoryName.hasPrefix("avdemux_") ? skip : tryIt
  }
}

/// Leaves sound and text as they are in the file: nobody listens.
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

/// Makes the JPEG decoder exact; the method it prefers is quicker and off by up to 7.
func refine(
  _: UnsafeMutablePointer<GstBin>?, _: UnsafeMutablePointer<GstBin>?,
  element: UnsafeMutablePointer<GstElement>?, _: gpointer?
) {
  guard let element = unsafe element, let factory = unsafe gst_element_get_factory(element),
    let name = unsafe gst_object_get_name(UnsafeMutablePointer<GstObject>(factory))
  else { return }
  defer { unsafe g_free(name) }
  if unsafe String(cString: name) == "jpegdec" {
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), "idct-method",
      "islow")
  }
}
