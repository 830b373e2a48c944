import CGStreamer
import CVBGFilter
import Matting
import PixelTypes

/// Finds the masks of people that other elements attach to input buffers.
///
/// Used only on the streaming thread.
@safe final class UpstreamMask {
  // If `isHeld`, this value owns a reference to the mask's buffer, and the buffer is mapped.
  private var found = unsafe VBGMask()
  private var isHeld = false
  private let alphas = Raster<UInt8>(width: 256, height: 1, filledWith: 0)
  /// The subjects of the last request.
  private var subjects: Subjects?
  /// The GLib quark of each subject's name, or `unknown` if no element has created it yet.
  private var quarks: [GQuark] = []
  private static let unknown = GQuark.max

  /// Returns a mask of the parts of a frame to keep, or nil if the buffer has no usable mask.
  ///
  /// The mask is valid until `release` or the next call.
  func find(
    on buffer: UnsafeMutablePointer<GstBuffer>, for subjects: Subjects, in format: FrameFormat
  ) -> PersonMask? {
    release()
    // A mask covers the whole picture in memory, so it does not fit a cropped frame.
    guard unsafe vbgfilter_buffer_crop_meta(buffer) == nil else { return nil }
    lookUp(subjects)
    isHeld =
      unsafe vbg_buffer_find_mask(
        buffer, guint(format.width), guint(format.height), quarks, guint(quarks.count), &found,
        alphas.base) != 0
    guard isHeld, let data = unsafe found.data else { return nil }
    let samples = unsafe Plane(
      base: data, width: Int(found.width), height: Int(found.height), stride: Int(found.stride))
    let region = unsafe PixelRegion(
      x: Int(found.region_x), y: Int(found.region_y), width: Int(found.region_width),
      height: Int(found.region_height))
    let mask = PersonMask(samples: samples, alphas: alphas, region: region, in: format)
    if mask == nil { release() }
    return mask
  }

  /// Releases the mask, if there is one.
  func release() {
    guard isHeld else { return }
    isHeld = false
    unsafe vbg_mask_release(&found)
  }

  deinit {
    release()
  }

  /// Updates `quarks` for the requested subjects.
  ///
  /// GLib never frees a quark, so this function creates no quarks. A name without a quark cannot be
  /// the label of a mask, because the element that attaches a mask creates the quark of its label.
  private func lookUp(_ subjects: Subjects) {
    if self.subjects != subjects {
      self.subjects = subjects
      quarks = Array(repeating: Self.unknown, count: subjects.names.count)
    }
    for index in quarks.indices where quarks[index] == Self.unknown {
      let number = unsafe subjects.names[index].withCString { unsafe g_quark_try_string($0) }
      if number != 0 { quarks[index] = number }
    }
  }
}
