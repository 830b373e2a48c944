import CGStreamer
import CVBGFilter
import InferenceTypes
import PixelTypes
import VirtualBackground

/// Attaches the mattes of frames to their buffers.
///
/// Used only on the streaming thread. The attached buffers may be used on any thread.
final class MatteAttachment {
  private var pool: PlanePool?
  /// The pool for masks that GStreamer's own elements read: 1 for the person, 0 for the room.
  private var maskPool: PlanePool?
  /// The label of the last mask, as a GLib quark.
  private var lastLabel: (subjects: Subjects, number: GQuark)?
  /// The timestamp of the frame that the matte in use was inferred from.
  private var timeOfInference = GstClockTime.max

  /// The number of buffers for mattes, in use or not, or nil if mattes are not attached.
  var buffers: Int? { pool?.count }

  /// Updates the attachments of a writable buffer for the frame in it.
  ///
  /// Must be called for each frame, even if `isWanted` is false, so that a matte's time is known
  /// once mattes are requested. A hidden frame then has no matte, not even one that came with it.
  func update(
    _ buffer: UnsafeMutablePointer<GstBuffer>, with matte: FrameMatte?, of format: FrameFormat,
    isInferred: Bool, subject: Subjects, isWanted: Bool
  ) {
    if isInferred { timeOfInference = unsafe buffer.pointee.pts }
    guard isWanted else {
      pool = nil
      maskPool = nil
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

  /// The label of a mask: its subject if there is only one.
  ///
  /// It is cached, and not looked up for each frame. GLib never frees a quark, so this makes one
  /// only for a name that is used.
  private func label(of subjects: Subjects) -> GQuark {
    if let lastLabel, lastLabel.subjects == subjects { return lastLabel.number }
    let name = subjects.names.count == 1 ? subjects.names[0] : "foreground"
    let number = unsafe g_quark_from_string(name)
    lastLabel = (subjects, number)
    return number
  }

  /// Copies samples to a buffer that is not in use, or returns nil if memory is insufficient.
  private func copy(_ samples: Plane) -> PlanePool.Entry? {
    PlanePool.pool(&pool, for: samples).take { plane in
      for y in 0..<samples.height {
        unsafe plane.row(y).update(from: samples.row(y), count: samples.width)
      }
    }
  }

  /// Separates person and room, sample by sample, or returns nil if memory is insufficient.
  private func mask(of samples: Plane) -> PlanePool.Entry? {
    PlanePool.pool(&maskPool, for: samples).take { plane in
      for y in 0..<samples.height {
        let (source, target) = unsafe (samples.row(y), plane.row(y))
        for x in 0..<samples.width { unsafe target[x] = source[x] >> 7 }
      }
    }
  }
}
