import CSwiftFilters
import PixelTypes
import Processor
import VirtualBackground

/// A picture from a file, or the first one of a video, at its own size.
struct BackgroundPicture {
  /// Bytes of red, green and blue, each multiplied by alpha, and alpha.
  private let pixels: Raster<UInt32>
  private let isOpaque: Bool

  private static let largestSide = 8192
  private static let patience = GstClockTime(10_000_000_000)
  private static let glance = GstClockTime(20_000_000)

  /// Decodes a file; takes tens of milliseconds.
  ///
  /// - Throws: `PictureError`.
  init(_ path: String) throws {
    let description = """
      filesrc name=file ! decodebin ! videoconvert ! appsink name=pictures \
      caps=video/x-raw,format=RGBA sync=false max-buffers=1
      """
    guard let pipeline = unsafe gst_parse_launch(description, nil) else {
      throw PictureError(path, "GStreamer's base elements are missing")
    }
    // Owned until here; nothing of the pipeline is used after it.
    defer {
      unsafe swiftfilters_stop(pipeline)
      unsafe gst_object_unref(pipeline)
    }
    guard let file = unsafe swiftfilters_find(pipeline, "file"),
      let sink = unsafe swiftfilters_find(pipeline, "pictures")
    else { throw PictureError(path, "GStreamer's base elements are missing") }
    defer {
      unsafe gst_object_unref(file)
      unsafe gst_object_unref(sink)
    }
    unsafe swiftfilters_set_text(file, "location", path)
    unsafe swiftfilters_play(pipeline)
    var sample: OpaquePointer?
    for _ in 0..<Self.patience / Self.glance where unsafe sample == nil {
      unsafe sample = swiftfilters_pull(sink, Self.glance)
      if unsafe sample == nil, let reason = unsafe Self.trouble(of: pipeline) {
        throw PictureError(path, "cannot be read as a picture: \(reason)")
      }
    }
    guard let sample = unsafe sample else {
      throw PictureError(path, "cannot be read as a picture")
    }
    defer { unsafe gst_sample_unref(sample) }
    (pixels, isOpaque) = try unsafe Self.copy(sample, path)
  }

  /// Fits the picture to frames, which it fills.
  func plate(for format: FrameFormat) -> Plate {
    let (part, place) = Fit.cover.place(
      imageWidth: pixels.width, imageHeight: pixels.height, frameWidth: format.width,
      frameHeight: format.height)
    return Plate(format: format) { frame in
      PicturePainter(kernels: InstructionSet.current.kernels).paint(
        pixels, part: part, isOpaque: isOpaque, over: 0, into: frame, at: place,
        colorimetry: format.colorimetry)
    }
  }

  /// Why a pipeline has failed, or ended without a picture; nil if it did neither.
  private static func trouble(of pipeline: UnsafeMutablePointer<GstElement>) -> String? {
    guard let bus = unsafe gst_element_get_bus(pipeline) else { return nil }
    defer { unsafe gst_object_unref(bus) }
    while let message = unsafe gst_bus_pop(bus) {
      defer { unsafe gst_message_unref(message) }
      let news = unsafe swiftfilters_news(message)
      if news == SWIFTFILTERS_END { return "there is none in it" }
      guard news == SWIFTFILTERS_ERROR else { continue }
      var error: UnsafeMutablePointer<GError>?
      unsafe gst_message_parse_error(message, &error, nil)
      defer { unsafe g_clear_error(&error) }
      return unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "unknown"
    }
    return nil
  }

  /// Copies the pixels of a sample that is valid during the call.
  private static func copy(
    _ sample: OpaquePointer, _ path: String
  ) throws -> (Raster<UInt32>, isOpaque: Bool) {
    var map = unsafe GstVideoFrame()
    guard unsafe swiftfilters_map(&map, sample) != 0 else {
      throw PictureError(path, "cannot be read as a picture")
    }
    defer { unsafe gst_video_frame_unmap(&map) }
    let (width, height) = unsafe (Int(map.info.width), Int(map.info.height))
    guard 1...largestSide ~= width, 1...largestSide ~= height,
      let base = unsafe map.data.0, case let stride = unsafe Int(map.info.stride.0)
    else {
      throw PictureError(
        path, "has \(width)x\(height) pixels; at most \(largestSide) a side are taken")
    }
    let pixels = Raster<UInt32>(width: width, height: height, filledWith: 0)
    var isOpaque = true
    for y in 0..<height {
      let bytes = unsafe (base + y * stride).assumingMemoryBound(to: UInt8.self)
      let row = unsafe pixels.row(y)
      for x in 0..<width {
        let alpha = unsafe UInt32(bytes[4 * x + 3])
        isOpaque = isOpaque && alpha == 255
        func channel(_ number: Int) -> UInt32 {
          unsafe (UInt32(bytes[4 * x + number]) * alpha + 127) / 255
        }
        let pixel = channel(0) | channel(1) << 8 | channel(2) << 16 | alpha << 24
        unsafe row[x] = pixel.littleEndian
      }
    }
    return (pixels, isOpaque)
  }
}

/// Why a file cannot be shown.
struct PictureError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ reason: String) {
    description = "\(path) \(reason)"
  }
}
