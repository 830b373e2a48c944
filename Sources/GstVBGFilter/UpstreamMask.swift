import CGStreamer
import CVBGFilter
import PixelTypes
import VirtualBackground

/// Finds the masks of people that other elements attach to the buffers that come in.
///
/// Used on the streaming thread alone.
@safe final class UpstreamMask {
  // Between `find` and `release` it holds a reference to the mask's buffer, and its mapping.
  private var found = unsafe VBGMask()
  private var isHeld = false
  private let alphas = Raster<UInt8>(width: 256, height: 1, filledWith: 0)
  private let severalSubjects = unsafe g_quark_from_string("foreground")
  /// The names that are looked for, as GLib numbers them.
  private var names: (subjects: Subjects, quarks: [GQuark])?

  /// The mask of what is to be kept of a frame; nil when nobody attached one that can be used.
  ///
  /// Valid until `release`.
  func find(
    on buffer: UnsafeMutablePointer<GstBuffer>, for subjects: Subjects, in format: FrameFormat
  ) -> PersonMask? {
    release()
    // A mask lies over all of the memory's picture, a crop shows a part of it.
    guard unsafe vbgfilter_buffer_crop_meta(buffer) == nil else { return nil }
    let quarks = quarks(of: subjects)
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

  /// Gives the mask back, if there is one.
  func release() {
    guard isHeld else { return }
    isHeld = false
    unsafe vbg_mask_release(&found)
  }

  deinit {
    release()
  }

  /// What a mask of our own is called: by its subject, if there is one only.
  func label(of subjects: Subjects) -> GQuark {
    let quarks = quarks(of: subjects)
    return quarks.count == 1 ? quarks[0] : severalSubjects
  }

  /// The numbers of some names, asked for once and not for each frame.
  private func quarks(of subjects: Subjects) -> [GQuark] {
    if let names, names.subjects == subjects { return names.quarks }
    let quarks = subjects.names.map { unsafe g_quark_from_string($0) }
    names = (subjects, quarks)
    return quarks
  }
}
