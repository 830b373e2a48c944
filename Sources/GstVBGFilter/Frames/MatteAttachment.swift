import CGStreamer
import CVBGFilter
import Matting
import PixelTypes
import VirtualBackground

/// Attaches the mattes of frames to their buffers.
///
/// Used only on the streaming thread. The attached buffers may be used on any thread.
final class MatteAttachment {
  /// The buffers for mattes.
  private let mattes = PlanePool()
  /// The buffers for masks that GStreamer's own elements read: 1 for the person, 0 for the
  /// background.
  private let masks = PlanePool()
  /// The label of the last mask, as a GLib quark.
  private var lastLabel: (subjects: Subjects, number: GQuark)?
  /// The timestamp of the frame that the matte in use was inferred from.
  private var timeOfInference = GstClockTime.max

  /// The number of buffers for mattes, in use or not.
  var buffers: Int { mattes.count }

  /// Attaches the matte of a frame to its buffer, which must be writable.
  ///
  /// Removes the buffer's matte if `matte` is nil. If `isWanted` is false, the buffer is unchanged.
  /// Call this method for each frame even then, so that the time of the last inference is known
  /// when mattes are requested.
  func update(
    _ buffer: UnsafeMutablePointer<GstBuffer>, with matte: FrameMatte?, of format: FrameFormat,
    isInferred: Bool, subject: Subjects, isWanted: Bool
  ) {
    if isInferred { timeOfInference = unsafe buffer.pointee.pts }
    guard isWanted else {
      mattes.clear()
      masks.clear()
      return
    }
    guard let matte, let alpha = copy(matte.samples) else {
      unsafe vbg_buffer_detach_matte(buffer)
      return
    }
    var meta = unsafe GstVBGMatteMeta(
      meta: GstMeta(), alpha: alpha.buffer, width: guint(matte.samples.width),
      height: guint(matte.samples.height), stride: guint(alpha.stride),
      frame_width: guint(format.width), frame_height: guint(format.height),
      step: guint(matte.step), pts: timeOfInference, inferred: isInferred ? 1 : 0)
    _ = unsafe vbg_buffer_attach_matte(buffer, &meta)
    if vbg_analytics_is_available() != 0, let mask = mask(of: matte.samples) {
      _ = unsafe vbg_buffer_attach_mask(
        buffer, mask.buffer, label(of: subject), guint(format.width), guint(format.height))
    }
  }

  /// Returns the label of a mask: the subject if there is only one, otherwise "foreground".
  ///
  /// The last label is cached, to avoid a look-up per frame. GLib never frees a quark, so this
  /// function creates quarks only for names that are used.
  private func label(of subjects: Subjects) -> GQuark {
    if let lastLabel, lastLabel.subjects == subjects { return lastLabel.number }
    let name = subjects.names.count == 1 ? subjects.names[0] : "foreground"
    let number = unsafe g_quark_from_string(name)
    lastLabel = (subjects, number)
    return number
  }

  /// Copies samples to an unused buffer.
  ///
  /// Returns nil if there is not enough memory.
  private func copy(_ samples: Plane) -> PlanePool.Entry? {
    mattes.take(width: samples.width, height: samples.height) { plane in
      for y in 0..<samples.height {
        unsafe plane.row(y).update(from: samples.row(y), count: samples.width)
      }
    }
  }

  /// Writes a binary mask of the samples to an unused buffer.
  ///
  /// Returns nil if there is not enough memory.
  private func mask(of samples: Plane) -> PlanePool.Entry? {
    masks.take(width: samples.width, height: samples.height) { plane in
      for y in 0..<samples.height {
        let (source, target) = unsafe (samples.row(y), plane.row(y))
        for x in 0..<samples.width { unsafe target[x] = source[x] >> 7 }
      }
    }
  }
}
