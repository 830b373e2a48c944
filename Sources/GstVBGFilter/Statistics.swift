import CGStreamer
import CVBGFilter
import Processor
import VirtualBackground

/// What the property `stats` shows: what happened since the element started.
struct Statistics: Sendable {
  var engine = EngineStatistics()
  /// Frames that did not go out, as `on-failure` asked.
  var dropped: UInt64 = 0
  /// The network's file; empty when there is none.
  var model = ""
  /// The quality that the network stands for; empty when there is none, `model` for a file that the
  /// user named.
  var quality = ""

  /// Makes the structure that the property's value holds; the caller owns it.
  func makeStructure() -> UnsafeMutablePointer<GstStructure>? {
    guard let structure = unsafe gst_structure_new_empty("vbgfilter-stats") else { return nil }
    let numbers: [(String, UInt64)] = [
      ("frames", engine.frames), ("inferences", engine.inferences),
      ("failures", engine.failures), ("dropped", dropped),
      ("prepare-time", engine.prepareTime), ("inference-time", engine.inferenceTime),
      ("matte-time", engine.matteTime), ("composite-time", engine.compositeTime),
    ]
    for (name, value) in numbers {
      unsafe vbg_structure_set_uint64(structure, name, guint64(value))
    }
    let words = [
      ("model", model), ("quality", quality), ("isa", InstructionSet.current.rawValue),
    ]
    for (name, value) in words { unsafe vbg_structure_set_string(structure, name, value) }
    return unsafe structure
  }
}
