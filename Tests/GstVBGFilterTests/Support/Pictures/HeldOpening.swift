import CGStreamer
import TestSupport

/// Delays each stream that GStreamer opens in this process, like a drive that does not answer.
///
/// Use it only in exit tests, because it affects the whole process.
enum HeldOpening {
  /// Blocks type detection while the gate is closed.
  static func hold(at gate: Gate) {
    GStreamer.prepare()
    // GStreamer keeps the reference until the process ends.
    let reference = unsafe Unmanaged.passRetained(gate).toOpaque()
    // The rank is higher than the ranks of the real type finders.
    let rank = guint(GST_RANK_PRIMARY.rawValue) + 1
    unsafe gst_type_find_register(
      nil, "held", rank,
      { _, gate in
        if let gate = unsafe gate {
          unsafe Unmanaged<Gate>.fromOpaque(gate).takeUnretainedValue().pass()
        }
      }, nil, nil, reference, nil)
  }
}
