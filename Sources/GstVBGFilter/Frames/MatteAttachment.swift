import CGStreamer
import CVBGFilter
import InferenceTypes
import PixelTypes
import VirtualBackground

/// Lets the mattes of frames travel with their buffers.
///
/// Used on the streaming thread alone; what it hands out may go anywhere.
final class MatteAttachment {
  private var pool: PlanePool?
  /// For what GStreamer's own elements read: 1 for the person, 0 for the room.
  private var maskPool: PlanePool?
  /// What the last mask was called, as GLib numbers it.
  private var lastLabel: (subjects: Subjects, number: GQuark)?
  /// The timestamp of the frame that the matte in use was inferred from.
  private var timeOfInference = GstClockTime.max

  /// Buffers that are kept for mattes, in use or not; nil when none are wanted.
  var buffers: Int? { pool?.count }

  /// Brings what a writable buffer carries in line with the frame in it.
  ///
  /// To be called for each frame, wanted or not, so that a matte's time is known once it is wanted. A
  /// frame that was hidden then carries none, not even one that came with it.
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

  /// What a mask is called, by its subject if there is one only.
  ///
  /// Asked for once and not for each frame. GLib never forgets a name that it has numbered, so that
  /// none is numbered before it is used.
  private func label(of subjects: Subjects) -> GQuark {
    if let lastLabel, lastLabel.subjects == subjects { return lastLabel.number }
    let name = subjects.names.count == 1 ? subjects.names[0] : "foreground"
    let number = unsafe g_quark_from_string(name)
    lastLabel = (subjects, number)
    return number
  }

  /// Copies samples to a buffer that is not in use; nil when there is no memory.
  private func copy(_ samples: Plane) -> PlanePool.Entry? {
    PlanePool.pool(&pool, for: samples).take { plane in
      for y in 0..<samples.height {
        unsafe plane.row(y).update(from: samples.row(y), count: samples.width)
      }
    }
  }

  /// Tells person from room, sample by sample; nil when there is no memory.
  private func mask(of samples: Plane) -> PlanePool.Entry? {
    PlanePool.pool(&maskPool, for: samples).take { plane in
      for y in 0..<samples.height {
        let (source, target) = unsafe (samples.row(y), plane.row(y))
        for x in 0..<samples.width { unsafe target[x] = source[x] >> 7 }
      }
    }
  }
}
