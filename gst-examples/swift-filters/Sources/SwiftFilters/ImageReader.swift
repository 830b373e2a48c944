import CSwiftFilters
import PictureFiles

/// Reads an image of any format that GStreamer decodes, or the first frame of a video.
enum ImageReader {
  /// The most pixels on a side.
  static let largestSide = 8192
  /// The time of a wait for a sample, in nanoseconds, after which errors and `isWanted` are checked.
  private static let pollInterval: GstClockTime = 20_000_000
  /// videoflip's names of Exif's orientations 1 to 8.
  private static let directions = [
    "identity", "horiz", "180", "vert", "ul-lr", "90r", "ur-ll", "90l",
  ]
  /// The largest file, in bytes, that is passed on as one buffer.
  private static let wholeFile = 1 << 28

  /// Reads a file; takes milliseconds, for large ones some hundreds.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - patience: the most time to wait for the decoder.
  ///   - isWanted: called repeatedly on the calling thread; false cancels.
  /// - Returns: the image, with its Exif orientation applied.
  /// - Throws: `ImageError`, also when cancelled.
  static func read(
    _ path: String, within patience: Duration = .seconds(10), isWanted: () -> Bool = { true }
  ) throws -> ColorImage {
    let source = try open(path)
    let inspection = PictureInspection(source.file, isCancelled: { !isWanted() })
    guard isWanted() else { throw ImageError(path, "is not wanted any more") }
    if inspection.isUnfinished {
      throw ImageError(path, "has more than a gibibyte to look through; shrink it")
    }
    if let size = inspection.size { try check(size.width, size.height, path) }
    if inspection.isCutShort {
      throw ImageError(path, "is cut short; copy or download it again")
    }
    let pipeline = try unsafe makePipeline(for: source, inspection, path)
    // This function owns the pipeline and the file, which the pipeline reads by its descriptor. A thread
    // of GStreamer stops the pipeline and releases both: stopping a decoder that never returns blocks.
    defer {
      unsafe gst_element_call_async(
        pipeline,
        { pipeline, _ in
          if let pipeline = unsafe pipeline { unsafe swiftfilters_stop(pipeline) }
        }, Unmanaged.passRetained(source).toOpaque(),
        { source in
          if let source = unsafe source { unsafe Unmanaged<Source>.fromOpaque(source).release() }
        })
      unsafe gst_object_unref(pipeline)
    }
    unsafe swiftfilters_play(pipeline)
    let sample = try unsafe firstSample(of: pipeline, path, patience, isWanted)
    defer { unsafe gst_sample_unref(sample) }
    return try unsafe copy(sample, path)
  }

  /// A reference to an open file.
  private final class Source {
    let file: PictureFile

    init(file: consuming PictureFile) {
      self.file = file
    }
  }

  private static func open(_ path: String) throws(ImageError) -> Source {
    do throws(PictureFileError) {
      return Source(file: try PictureFile(path: path))
    } catch {
      throw ImageError(path, error.reason)
    }
  }

  /// Makes a pipeline, which the caller owns.
  private static func makePipeline(
    for source: Source, _ inspection: PictureInspection, _ path: String
  ) throws -> UnsafeMutablePointer<GstElement> {
    var error: UnsafeMutablePointer<GError>?
    defer { unsafe g_clear_error(&error) }
    guard unsafe gst_init_check(nil, nil, &error) != 0 else {
      throw ImageError(path, "cannot be read: GStreamer does not start: \(unsafe text(of: error))")
    }
    // Decoders of still pictures need them in one buffer; demuxers seek.
    let (descriptor, size) = (source.file.descriptor, source.file.size)
    let element =
      inspection.isPicture
      ? "fdsrc fd=\(descriptor) blocksize=\(size <= wholeFile ? size : 1 << 16)"
      : "filesrc location=/proc/self/fd/\(descriptor)"
    // pngdec of GStreamer 1.22 swaps the colours of 16 bits a sample.
    let decoder =
      inspection.isDeepColorPNG
      ? "typefind ! gdkpixbufdec" : "decodebin name=decoder force-sw-decoders=true"
    // Without Exif there may be tags with an orientation.
    let direction = inspection.orientation.map { directions[$0 - 1] } ?? "auto"
    // No part of this text is a user's.
    let made = unsafe gst_parse_launch(
      """
      \(element) ! \(decoder) ! videoconvert ! video/x-raw,format=RGBA ! \
      videoflip video-direction=\(direction) ! appsink name=pictures sync=false max-buffers=1
      """, &error)
    guard let pipeline = unsafe made, unsafe error == nil else {
      if let made = unsafe made { unsafe gst_object_unref(gst_object_ref_sink(made)) }
      throw ImageError(
        path,
        """
        cannot be decoded: \(unsafe text(of: error)); install gstreamer1.0-plugins-base and \
        gstreamer1.0-plugins-good
        """)
    }
    unsafe gst_object_ref_sink(pipeline)
    if let decoder = unsafe swiftfilters_find(pipeline, "decoder") {
      // Elements that would open other files and addresses, as for a playlist, are skipped.
      unsafe swiftfilters_connect_autoplug_select(decoder) { _, _, _, factory, _ in
        guard let factory = unsafe factory,
          let kind = unsafe gst_element_factory_get_metadata(factory, "klass")
        else { return 2 }
        return unsafe ElementClass.readsOnlyItsInput(String(cString: kind)) ? 0 : 2
      }
      unsafe gst_object_unref(decoder)
    }
    return unsafe pipeline
  }

  /// The first sample of a pipeline, which the caller owns.
  private static func firstSample(
    of pipeline: UnsafeMutablePointer<GstElement>, _ path: String, _ patience: Duration,
    _ isWanted: () -> Bool
  ) throws -> OpaquePointer {
    guard let sink = unsafe swiftfilters_find(pipeline, "pictures") else {
      throw ImageError(path, "cannot be decoded: GStreamer's appsink is missing")
    }
    defer { unsafe gst_object_unref(sink) }
    let end = ContinuousClock.now + patience
    while isWanted() {
      guard ContinuousClock.now < end else {
        throw ImageError(
          path,
          """
          took more than \(patience) to decode: it is damaged or slow to read; give a local PNG, \
          JPEG or WebP picture
          """)
      }
      if let sample = unsafe swiftfilters_pull(sink, pollInterval) { return unsafe sample }
      if let failure = unsafe failure(of: pipeline) {
        throw ImageError(path, "\(failure); give a PNG, JPEG or WebP picture")
      }
    }
    throw ImageError(path, "is not wanted any more")
  }

  /// Why a pipeline has failed, or ended without a picture; nil if it did neither.
  private static func failure(of pipeline: UnsafeMutablePointer<GstElement>) -> String? {
    guard let bus = unsafe gst_element_get_bus(pipeline) else { return nil }
    defer { unsafe gst_object_unref(bus) }
    while let message = unsafe gst_bus_pop(bus) {
      defer { unsafe gst_message_unref(message) }
      var error: UnsafeMutablePointer<GError>?
      defer { unsafe g_clear_error(&error) }
      switch unsafe swiftfilters_message(message) {
      case SWIFTFILTERS_END: return "holds no picture that can be decoded"
      case SWIFTFILTERS_ERROR:
        unsafe gst_message_parse_error(message, &error, nil)
        return "cannot be read as a picture: \(unsafe text(of: error))"
      case SWIFTFILTERS_WARNING:
        unsafe gst_message_parse_warning(message, &error, nil)
        // No stream of the file can be linked: all are sound or text.
        if unsafe error?.pointee.domain == gst_parse_error_quark() { return "holds no picture" }
      default: break
      }
    }
    return nil
  }

  /// GStreamer's message, as a part of a sentence.
  private static func text(of error: UnsafeMutablePointer<GError>?) -> String {
    let text =
      unsafe error.map { unsafe String(cString: $0.pointee.message) } ?? "no reason is given"
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  private static func check(_ width: Int, _ height: Int, _ path: String) throws {
    guard 1...largestSide ~= width, 1...largestSide ~= height else {
      throw ImageError(
        path, "has \(width)x\(height) pixels; at most \(largestSide) a side are taken: shrink it")
    }
  }

  /// Copies the pixels of a sample, which is borrowed.
  private static func copy(_ sample: OpaquePointer, _ path: String) throws -> ColorImage {
    var map = unsafe GstVideoFrame()
    guard unsafe swiftfilters_map(&map, sample) != 0 else {
      throw ImageError(path, "decodes to what cannot be read; give a PNG, JPEG or WebP picture")
    }
    defer { unsafe gst_video_frame_unmap(&map) }
    let (width, height) = unsafe (Int(map.info.width), Int(map.info.height))
    try check(width, height, path)
    guard let base = unsafe map.data.0, case let stride = unsafe Int(map.info.stride.0),
      stride >= 4 * width
    else { throw ImageError(path, "decodes to nothing; give a PNG, JPEG or WebP picture") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width * height)
    for y in 0..<height {
      unsafe bytes.append(
        contentsOf: UnsafeRawBufferPointer(start: base + y * stride, count: 4 * width))
    }
    return ColorImage(width: width, height: height, bytes: bytes)
  }
}
