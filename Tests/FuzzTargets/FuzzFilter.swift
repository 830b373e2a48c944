import CGStreamer
import CGStreamerCheck
import CVBGFilter
import Glibc
import Matting
import PixelTypes
import TestSupport

@testable import GstVBGFilter

/// An element with a network that finds no person, between a source and a sink of the fuzzer.
///
/// Owns the element, its bus and the harness. Not thread-safe.
@safe final class FuzzFilter {
  private let element: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>
  private let harness: UnsafeMutablePointer<GstHarness>
  private(set) var info = unsafe GstVideoInfo()
  /// The last negotiated format and settings, for the report of a finding.
  private(set) var format = ""
  private(set) var settings: [String: String] = [:]

  /// Initialises GStreamer once per process.
  private static let isReady: Bool = {
    guard gst_init_check(nil, nil, nil) != 0 else { return false }
    // The plugin does this when it is loaded.
    vbg_matte_meta_register()
    guard VBGFilterElement.type.register() else { return false }
    // A critical warning is a finding.
    _ = unsafe g_log_set_default_handler(
      { domain, level, text, _ in
        unsafe g_log_default_handler(domain, level, text, nil)
        if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 { abort() }
      }, nil)
    return true
  }()

  init(_ input: inout FuzzInput) {
    precondition(Self.isReady, "GStreamer could not be initialized")
    guard let made = unsafe g_object_new_with_properties(VBGFilterElement.type.type, 0, nil, nil)
    else {
      preconditionFailure("the element could not be created")
    }
    unsafe element = UnsafeMutablePointer<GstElement>(OpaquePointer(made))
    unsafe gst_object_ref_sink(element)
    unsafe bus = gst_bus_new()
    unsafe gst_bus_set_flushing(bus, 1)
    unsafe gst_element_set_bus(element, bus)
    guard let filter = unsafe VBGFilterElement.behind(element) else {
      preconditionFailure("the element belongs to another plugin")
    }
    filter.modelLoader = EmptyRoomLoader()
    for (name, value) in [("model", "empty"), ("background-color", "0xff808080")] {
      unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(element)), name, value)
    }
    unsafe harness = gst_harness_new_with_element(element, "sink", "src")
    for _ in 0..<input.integer(in: 0...6) { set(&input) }
    if input.flag() {
      let format = input.choice(PixelFormat.allCases)
      unsafe gst_harness_set_sink_caps_str(harness, "video/x-raw, format=\(format.name)")
    }
    negotiate(&input)
  }

  deinit {
    unsafe gst_harness_teardown(harness)
    unsafe gst_element_set_state(element, GST_STATE_NULL)
    unsafe gst_element_set_bus(element, nil)
    unsafe gst_object_unref(bus)
    unsafe gst_object_unref(element)
  }

  /// Whether the settings must hide every byte of the room.
  ///
  /// A blur is excluded: it is made of the room, and may be close to the marks by chance.
  var hidesRoom: Bool {
    ["color", "matte", "transparent"].contains(settings["effect"])
      && settings["active"] != "false" && settings["on-failure", default: "blur"] != "blur"
  }

  /// Sets a property.
  func set(_ input: inout FuzzInput) {
    let values: [(String, [String])] = [
      ("effect", ["color", "matte", "transparent", "blur", "none", "auto"]),
      ("on-failure", ["color", "hold", "drop", "error", "blur"]),
      ("active", ["true", "false"]), ("pacing", ["reuse-matte", "repeat-frame", "drop-frame"]),
      ("target-fps", ["0", "5", "1000"]), ("attach-matte", ["true", "false"]),
      ("inference", ["every-frame", "when-needed"]), ("keep", ["everyone", "nearest", "tracked"]),
      ("matte-grow", ["0", "50", "-50"]), ("matte-feather", ["0", "50", "-50"]),
      ("smoothing", ["0", "1"]), ("light-wrap", ["0", "1"]), ("low-light", ["0", "1"]),
      ("match-light", ["0", "1"]), ("despill", ["true", "false"]),
      ("blur-shape", ["gaussian", "lens"]), ("framing", ["fixed", "follow"]),
      ("max-zoom", ["1", "2"]), ("blur-radius", ["10", "0.1", "100"]),
      ("cpu-budget", ["0", "0.1"]),
      ("adaptive", ["false", "true"]),
    ]
    let (name, choices) = input.choice(values)
    let value = input.choice(choices)
    settings[name] = value
    unsafe gst_util_set_object_arg(UnsafeMutablePointer(OpaquePointer(element)), name, value)
  }

  /// Renegotiates to another format.
  func negotiate(_ input: inout FuzzInput) {
    let format = input.choice([PixelFormat.nv12, .i420, .nv21, .p010])
    let size = FrameFormat(&input)
    let colorimetry = input.choice(["bt601", "bt709", "1:3:5:1"])
    let text =
      "video/x-raw, format=\(format.name), width=\(size.width), height=\(size.height), "
      + "framerate=30/1, colorimetry=\(colorimetry)"
    guard let caps = unsafe gst_caps_from_string(text),
      unsafe gst_video_info_from_caps(&info, caps) != 0
    else { preconditionFailure("invalid caps: \(text)") }
    self.format = text
    unsafe gst_harness_set_src_caps(harness, caps)
  }

  /// Flushes the element, as a seek does.
  func flush() {
    unsafe gst_harness_push_event(harness, gst_event_new_flush_start())
    unsafe gst_harness_push_event(harness, gst_event_new_flush_stop(1))
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    unsafe gst_harness_push_event(harness, gst_event_new_segment(&segment))
  }

  /// Pushes a buffer, and takes ownership of it.
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    unsafe gst_harness_push(harness, buffer)
  }

  /// Returns the next output buffer, if there is one.
  func pull() -> HostileBuffer? {
    guard let buffer = unsafe gst_harness_try_pull(harness) else { return nil }
    return unsafe HostileBuffer(owning: buffer)
  }
}

/// Loads a network that finds no person.
private struct EmptyRoomLoader: SegmentationModelLoader {
  private final class Model: SegmentationModel {
    let path = "empty"
    let subjects: [String] = []

    func prepare(frameWidth: Int, frameHeight: Int) {}

    func makeSegmenter(
      frameWidth: Int, frameHeight: Int
    ) throws(SegmentationError) -> any Segmenter {
      FakeSegmenter { _, _, _, _, _ in 0 }
    }
  }

  func load(
    _ request: ModelRequest, isCancelled: () -> Bool
  ) throws(SegmentationError) -> any SegmentationModel { Model() }
}
