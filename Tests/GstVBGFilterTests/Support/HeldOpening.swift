import CGStreamer
import TestSupport

/// Holds up whatever this process opens with GStreamer, as a drive does that does not answer.
///
/// For exit tests, whose process opens nothing else.
enum HeldOpening {
  /// Lets no stream be looked into while the gate is closed.
  static func hold(at gate: Gate) {
    GStreamer.prepare()
    // GStreamer keeps the reference for as long as the process lives.
    let reference = unsafe Unmanaged.passRetained(gate).toOpaque()
    // Before those that tell what the stream is.
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
