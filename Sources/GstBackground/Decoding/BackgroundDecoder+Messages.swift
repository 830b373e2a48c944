import CGStreamer

/// Converts messages of the private pipeline to errors for the user.
extension BackgroundDecoder {
  /// The error for a stream that contains no picture.
  var noPicture: BackgroundError {
    failure(.notAnImage, "contains no picture; use a picture or a video")
  }

  /// Returns whether a warning means that no stream can be linked to the sink.
  ///
  /// This happens if all streams are sound or text.
  func saysNoPicture(_ message: UnsafeMutablePointer<GstMessage>) -> Bool {
    var error: UnsafeMutablePointer<GError>?
    unsafe gst_message_parse_warning(message, &error, nil)
    defer { unsafe g_clear_error(&error) }
    guard let error = unsafe error else { return false }
    return unsafe error.pointee.domain == gst_parse_error_quark()
      && error.pointee.code == gint(GST_PARSE_ERROR_DELAYED_LINK.rawValue)
  }

  /// Returns the error for a missing decoder, or nil if the message is about something else.
  func missingPlugin(_ message: UnsafeMutablePointer<GstMessage>) -> BackgroundError? {
    guard let structure = unsafe gst_message_get_structure(message),
      unsafe gst_structure_has_name(structure, "missing-plugin") != 0,
      let detail = unsafe gst_structure_get_value(structure, "detail"),
      let caps = unsafe gst_value_get_caps(detail), let mediaType = unsafe mediaType(of: caps)
    else { return nil }
    if mediaType.hasPrefix("audio/") {
      return failure(.notAnImage, "is not a picture (found \(mediaType)); use a PNG or JPEG")
    }
    guard mediaType.hasPrefix("image/") || mediaType.hasPrefix("video/") else {
      return failure(
        .notAnImage,
        "is not a picture (found \(mediaType)), and the entries of playlists are not opened; "
          + "use the picture or video itself")
    }
    return failure(
      .missingPlugin, "needs a GStreamer plugin for \(mediaType); \(remedy(for: mediaType))")
  }

  /// Returns advice for the user, which names the Debian package that provides the decoder.
  private func remedy(for mediaType: String) -> String {
    switch mediaType {
    case "image/png", "image/jpeg": "install gstreamer1.0-plugins-good"
    case "image/webp", "image/svg+xml", "image/jp2", "image/x-exr":
      "install gstreamer1.0-plugins-bad"
    case "image/gif": "install gstreamer1.0-libav, or convert it to a video"
    default: "install gstreamer1.0-libav, or use a PNG or JPEG"
    }
  }

  /// Returns whether an error of the source element means that the connection failed.
  ///
  /// GStreamer's sources name an unreachable server only in the log. The HTTP source posts a stream
  /// error. The RTSP source posts a resource error: it cannot open the resource for reading and
  /// writing.
  private func saysNoConnection(
    _ message: UnsafeMutablePointer<GstMessage>, _ domain: GQuark, _ code: UInt32
  ) -> Bool {
    guard !isFile, location.contains("://"), let source = unsafe message.pointee.src,
      unsafe source.pointee.flags & GST_ELEMENT_FLAG_SOURCE.rawValue != 0
    else { return false }
    return domain == gst_stream_error_quark()
      ? code == GST_STREAM_ERROR_FAILED.rawValue
      : domain == gst_resource_error_quark()
        && code == GST_RESOURCE_ERROR_OPEN_READ_WRITE.rawValue
  }

  /// Returns the error for the user that corresponds to an error message of the pipeline.
  func failure(_ message: UnsafeMutablePointer<GstMessage>) -> BackgroundError {
    var error: UnsafeMutablePointer<GError>?
    unsafe gst_message_parse_error(message, &error, nil)
    defer { unsafe g_clear_error(&error) }
    guard let error = unsafe error else { return failure(.failed, "cannot be decoded") }
    // The text of GStreamer's error, in the user's language.
    let remark = unsafe ShownLocation(location).remark(String(cString: error.pointee.message))
    let (domain, code) = unsafe (error.pointee.domain, UInt32(bitPattern: error.pointee.code))
    if unsafe saysNoConnection(message, domain, code) {
      return failure(
        .unreadable,
        "cannot be fetched: the connection to its server was refused or failed; check the address "
          + "and the network, and that the server is running")
    }
    if domain == gst_resource_error_quark() {
      return switch code {
      case GST_RESOURCE_ERROR_NOT_FOUND.rawValue:
        failure(.notFound, "does not exist\(remark); check the address")
      case GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue:
        failure(.unreadable, "was refused by its server\(remark); check the user name and password")
      default:
        failure(.unreadable, "cannot be read\(remark); check that another program can open it")
      }
    }
    if domain == gst_stream_error_quark(), code == GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue {
      return failure(
        .notAnImage,
        "is not a picture or video that GStreamer recognizes; use for example a PNG, a JPEG or an "
          + "MP4")
    }
    if domain == gst_stream_error_quark(),
      code == GST_STREAM_ERROR_DECODE.rawValue || code == GST_STREAM_ERROR_DEMUX.rawValue
    {
      return isPixbuf
        ? failure(
          .damaged,
          "is damaged, or no installed decoder supports it\(remark); convert it to PNG or JPEG")
        : failure(.damaged, "is damaged\(remark); use an undamaged copy")
    }
    return failure(
      .notAnImage,
      "cannot be decoded as a picture or video\(remark); use for example a PNG, a JPEG or an MP4")
  }
}
