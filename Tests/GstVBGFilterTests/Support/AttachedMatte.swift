import CGStreamer
import CVBGFilter
import TestSupport
import Testing

@testable import GstVBGFilter

/// A matte attached to a buffer, as an application reads it.
@safe struct AttachedMatte: Equatable {
  let width: Int
  let height: Int
  let frameWidth: Int
  let frameHeight: Int
  let step: Int
  let pts: GstClockTime
  let isInferred: Bool
  /// The samples, by row, without padding.
  let samples: [UInt8]

  /// Reads the matte of a buffer, or returns nil if it has no matte.
  init?(of buffer: UnsafeMutablePointer<GstBuffer>) throws {
    let custom = unsafe gst_buffer_get_custom_meta(buffer, GST_VBG_MATTE_CUSTOM_META_NAME)
    guard let meta = unsafe gst_buffer_get_vbg_matte_meta(buffer) else {
      try #require(unsafe custom == nil)
      return nil
    }
    let fields = unsafe custom.flatMap { unsafe gst_custom_meta_get_structure($0) }
    unsafe try Self.requireTheSame(fields, meta.pointee)
    var map = unsafe GstMapInfo()
    try #require(unsafe gst_vbg_matte_meta_map(meta, &map) != 0)
    defer { unsafe gst_vbg_matte_meta_unmap(meta, &map) }
    let data = unsafe try #require(map.data)
    let (width, height) = unsafe (Int(meta.pointee.width), Int(meta.pointee.height))
    self.width = width
    self.height = height
    unsafe frameWidth = Int(meta.pointee.frame_width)
    unsafe frameHeight = Int(meta.pointee.frame_height)
    unsafe step = Int(meta.pointee.step)
    unsafe pts = meta.pointee.pts
    unsafe isInferred = meta.pointee.inferred != 0
    let stride = unsafe Int(meta.pointee.stride)
    samples = (0..<width * height).map { unsafe data[$0 / width * stride + $0 % width] }
  }

  /// The structure for other languages must contain the same values.
  private static func requireTheSame(
    _ structure: UnsafeMutablePointer<GstStructure>?, _ meta: GstVBGMatteMeta
  ) throws {
    let structure = unsafe try #require(structure)
    let numbers = unsafe [
      ("width", meta.width), ("height", meta.height), ("stride", meta.stride),
      ("frame-width", meta.frame_width), ("frame-height", meta.frame_height), ("step", meta.step),
    ]
    for (name, number) in numbers {
      var value: guint = 0
      try #require(unsafe gst_structure_get_uint(structure, name, &value) != 0 && value == number)
    }
    var pts: guint64 = 0
    var inferred: gboolean = 2
    try #require(unsafe gst_structure_get_uint64(structure, "pts", &pts) != 0)
    try #require(unsafe gst_structure_get_boolean(structure, "inferred", &inferred) != 0)
    try #require(unsafe pts == meta.pts && inferred == meta.inferred)
    let alpha = unsafe try #require(gst_structure_get_value(structure, "alpha"))
    try #require(unsafe g_value_get_boxed(alpha) == UnsafeMutableRawPointer(meta.alpha))
  }

  /// The mean of the matte.
  var coverage: Double {
    Double(samples.reduce(0) { $0 + Int($1) }) / Double(255 * max(samples.count, 1))
  }
}

extension TestFilter {
  /// Pushes a picture, by default one of the room, and returns the matte of the output.
  func matte(of picture: TestPicture? = nil, time: UInt64? = nil) throws -> AttachedMatte? {
    let output = unsafe try output(of: makeBuffer(picture, time: time))
    defer { unsafe GStreamer.unrefMini(output) }
    return unsafe try AttachedMatte(of: output)
  }
}
