import CGStreamer

/// A picture as a decoder delivered it.
///
/// Sendable because nothing changes it. Both references are owned, and counted atomically.
@safe final class DecodedPicture: @unchecked Sendable {
  private let buffer: UnsafeMutablePointer<GstBuffer>
  private let caps: UnsafeMutablePointer<GstCaps>

  /// Takes over a sample, or returns nil if there is no picture in it.
  ///
  /// The sample itself is not kept: appsink uses it again, and complains if it cannot.
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

  /// The memory that it takes, in bytes.
  var byteCount: Int { unsafe Int(gst_buffer_get_size(buffer)) }

  /// `HLG` or `PQ` if the picture is HDR, otherwise nil.
  var dynamicRange: String? {
    let transfer = unsafe withPixels { unsafe $1.colorimetry.transfer }
    return switch transfer {
    case GST_VIDEO_TRANSFER_ARIB_STD_B67: "HLG"
    case GST_VIDEO_TRANSFER_SMPTE2084: "PQ"
    default: nil
    }
  }

  /// Calls `body` with the buffer and the description of its pixels.
  ///
  /// Returns nil if there is no such description.
  func withPixels<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<GstBuffer>, GstVideoInfo) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps) != 0 else { return nil }
    return try unsafe body(buffer, info)
  }

  /// GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
  private static func time(_ time: UInt64) -> UInt64? { time == .max ? nil : time }
}
