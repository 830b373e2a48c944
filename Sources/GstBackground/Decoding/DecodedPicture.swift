import CGStreamer

/// A picture as a decoder delivered it.
///
/// Sendable because it is immutable. It owns a reference to the buffer and one to the caps. Both
/// reference counts are atomic.
@safe final class DecodedPicture: @unchecked Sendable {
  private let buffer: UnsafeMutablePointer<GstBuffer>
  private let caps: UnsafeMutablePointer<GstCaps>

  /// Takes ownership of `sample`, or returns nil if it has no buffer or no caps.
  ///
  /// The sample itself is released at once: appsink reuses it, and warns if it is still referenced.
  init?(_ sample: OpaquePointer) {
    defer { unsafe gst_sample_unref(sample) }
    guard let buffer = unsafe gst_sample_get_buffer(sample),
      let caps = unsafe gst_sample_get_caps(sample)
    else { return nil }
    unsafe self.buffer = gst_buffer_ref(buffer)
    unsafe self.caps = gst_caps_ref(caps)
  }

  deinit {
    unsafe gst_buffer_unref(buffer)
    unsafe gst_caps_unref(caps)
  }

  /// The presentation time in the stream, in nanoseconds, or nil if unknown.
  var time: UInt64? { unsafe Self.time(UInt64(buffer.pointee.pts)) }

  /// The duration in the stream, in nanoseconds, or nil if unknown.
  var duration: UInt64? { unsafe Self.time(UInt64(buffer.pointee.duration)) }

  var byteCount: Int { unsafe Int(gst_buffer_get_size(buffer)) }

  /// The HDR transfer function, `HLG` or `PQ`, or nil if the picture is not HDR.
  var dynamicRange: String? {
    let transfer = unsafe withPixels { unsafe $1.colorimetry.transfer }
    return switch transfer {
    case GST_VIDEO_TRANSFER_ARIB_STD_B67: "HLG"
    case GST_VIDEO_TRANSFER_SMPTE2084: "PQ"
    default: nil
    }
  }

  /// Calls `body` with the buffer and the video format from its caps, and returns its result.
  ///
  /// Returns nil, without a call, if the caps do not describe a video format.
  func withPixels<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<GstBuffer>, GstVideoInfo) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps) != 0 else { return nil }
    return try unsafe body(buffer, info)
  }

  /// Returns nil for GST_CLOCK_TIME_NONE, a macro that Swift cannot import.
  private static func time(_ time: UInt64) -> UInt64? { time == .max ? nil : time }
}
