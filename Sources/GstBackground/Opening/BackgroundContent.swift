import CGStreamer
import Glibc
import InputFiles
import PixelTypes
import Threads

/// The decoded content of a path or URI.
enum BackgroundContent {
  case image(BackgroundImage)
  /// A video: a running decoder, and the pictures that it has delivered so far.
  case video(BackgroundDecoder, first: [DecodedPicture])

  /// Decodes a path or URI until it is known whether it is an image or a video.
  ///
  /// Supports every source and format that GStreamer supports. A relative path is relative to the
  /// working directory. A name is a URI if it contains `://`, or begins with `file:` or `data:`.
  /// The orientation is read from files and from the tags of streams.
  ///
  /// Blocks the calling thread while it reads and decodes: once the source is open, for at most
  /// `timeout`, or until `isCancelled` returns true.
  static func open(
    _ location: String, timeout: Duration = BackgroundImage.timeout,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(BackgroundError) -> BackgroundContent {
    // In tests of a filter, this may be the first call of GStreamer.
    guard gst_init_check(nil, nil, nil) != 0 else {
      throw BackgroundError(
        .failed, location, "cannot be opened: GStreamer could not be initialized")
    }
    for inSegments in [true, false] {
      let decoder = try makeDecoder(location, isCancelled)
      let inspection = decoder.checks.inspection
      let opened: (first: [DecodedPicture], isVideo: Bool)?
      do throws(BackgroundError) {
        opened = try decoder.open(inSegments: inSegments, within: timeout, isCancelled: isCancelled)
      } catch {
        // gdk-pixbuf does not report that it has no loader for HEIF, so assume it.
        throw inspection?.isHEIF == true && error.kind == .damaged ? .heif(location) : error
      }
      guard let (first, isVideo) = opened else { continue }
      if isVideo { return .video(decoder, first: first) }
      let orientation = inspection?.orientation.flatMap { ImageOrientation(exifValue: $0) }
      return .image(
        try BackgroundImage(
          first[0], turned: orientation ?? decoder.orientation ?? .upright,
          isMultiplied: inspection?.isMultipliedByAlpha == true, location: location))
    }
    throw BackgroundError(.failed, location, "cannot be decoded")
  }

  private static func makeDecoder(
    _ location: String, _ isCancelled: @escaping () -> Bool
  ) throws(BackgroundError) -> BackgroundDecoder {
    guard let path = try path(of: location) else { return try BackgroundDecoder(uri: location) }
    let file = try open(path, location)
    let inspection = PictureInspection(file, isCancelled: isCancelled)
    if isCancelled() { throw .cancelled(location) }
    if let error = refusal(of: inspection, location) { throw error }
    return try BackgroundDecoder(file, inspection, location: location)
  }

  /// Returns the error for a file that must not be decoded, otherwise nil.
  private static func refusal(
    of inspection: PictureInspection, _ location: String
  ) -> BackgroundError? {
    if inspection.isUnfinished {
      return BackgroundError(
        .tooLarge, location,
        "is too large to inspect (more than 1 GiB); shrink it, or convert it to a video")
    }
    if inspection.isCutShort {
      return BackgroundError(
        .damaged, location,
        "is truncated: the file ends before the picture does; use a complete copy")
    }
    if let kind = inspection.dynamicRange { return .highDynamicRange(kind, location) }
    if let kind = inspection.unsupportedKind {
      return BackgroundError(
        .unsupported, location,
        "is a \(kind), which no decoder supports; convert it to PNG or to an ordinary JPEG")
    }
    guard let (width, height) = inspection.size else {
      // gdk-pixbuf allocates the memory of a picture without an allocation query.
      if !inspection.needsPixbuf { return nil }
      return BackgroundError(
        .unsupported, location,
        "does not state its size in the usual way; convert it to PNG or to an ordinary JPEG")
    }
    let limit: PictureLimit = inspection.isAnimated ? .moving : .still
    if !limit.allows(width: width, height: height) {
      return limit.error(width: width, height: height, location)
    }
    // The decoder and the element need one picture each. An animation needs two more, for the
    // pictures in the pipeline.
    let pictures = 4 * width * height * (inspection.isAnimated ? 4 : 2)
    return SpareMemory.isThere(for: pictures) ? nil : .outOfMemory(pictures, location)
  }

  /// Opens the file at `path`.
  ///
  /// `location` is the location as the user wrote it, for the error.
  private static func open(
    _ path: String, _ location: String
  ) throws(BackgroundError) -> RegularFile {
    let kind: BackgroundError.Kind
    let reason: String
    do throws(FileError) {
      let file = try RegularFile(path: path)
      if file.size > 0 { return file }
      (kind, reason) = (.empty, "is empty; use the path of a picture")
    } catch {
      (kind, reason) =
        switch error {
        case .notFound: (.notFound, "\(error); \(hint(for: path))")
        case .unreadable: (.unreadable, "\(error); check its permissions")
        case .directory, .special: (.notAFile, "\(error); use the path of a picture file")
        }
    }
    throw BackgroundError(kind, location, reason)
  }

  /// Returns a hint about the likely mistake in a path that does not exist.
  private static func hint(for path: String) -> String {
    switch path.first {
    case "~": "~ is not replaced by a home directory: write the whole path"
    case "#": "a colour is not a file: set effect=color, and background-color=0xffRRGGBB"
    default: "relative paths begin at the program's working directory"
    }
  }

  /// Returns whether a location can be opened without a server.
  static func isLocal(_ location: String) -> Bool {
    location.hasPrefix("data:") || (try? path(of: location)) != .some(nil)
  }

  /// Returns the path of a local file, or nil if the location is another URI.
  private static func path(of location: String) throws(BackgroundError) -> String? {
    // File URIs are opened as files, so that the checks of files apply. The scheme is not
    // case-sensitive.
    if unsafe gst_uri_has_protocol(location, "file") != 0 {
      var host: UnsafeMutablePointer<gchar>?
      defer { unsafe g_free(host) }
      guard let path = unsafe g_filename_from_uri(location, &host, nil) else {
        throw BackgroundError(
          .notFound, location,
          "is not a valid file URI; write file:///folder/picture.png, or use the path")
      }
      defer { unsafe g_free(path) }
      if let host = unsafe host, unsafe g_ascii_strcasecmp(host, "localhost") != 0 {
        throw BackgroundError(
          .unreadable, location,
          """
          names a file on the host \(unsafe String(cString: host)), but only files on this \
          machine are supported; write file:///folder/picture.png, or use the path
          """)
      }
      return unsafe String(cString: path)
    }
    let isURI = unsafe location.hasPrefix("data:") || strstr(location, "://") != nil
    return unsafe isURI && gst_uri_is_valid(location) != 0 ? nil : location
  }
}

extension BackgroundImage {
  /// The maximum time to open a background, unless another is given.
  public static let timeout = Duration.seconds(20)

  /// Reads the picture at a path or URI, or the first picture of a video.
  ///
  /// Blocks until the picture has been read: once the source is open, for at most `timeout`, or
  /// until `cancellation` is cancelled.
  public static func read(
    _ location: String, timeout: Duration = BackgroundImage.timeout,
    _ cancellation: Cancellation = Cancellation()
  ) throws(BackgroundError) -> BackgroundImage {
    switch try BackgroundContent.open(
      location, timeout: timeout, isCancelled: { cancellation.isCancelled })
    {
    case .image(let image): return image
    case .video(let decoder, let first):
      defer { decoder.abandon() }
      return try BackgroundImage(
        first[0], turned: decoder.orientation ?? .upright, location: location)
    }
  }
}
