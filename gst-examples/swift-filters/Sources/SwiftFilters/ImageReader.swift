import CImageReader

/// Reads a PNG file with GStreamer's own elements, beside the thread that asks for it.
///
/// Used on one thread at a time; the elements work on threads of their own.
@safe final class ImageReader {
  /// The file that is read.
  let path: String
  // Owned.
  private let reader: OpaquePointer

  /// What is wrong with a file, in a sentence.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Nanoseconds after which a file counts as broken.
  private static let patience: UInt64 = 10_000_000_000

  /// Begins to read a file.
  init(path: String) {
    self.path = path
    unsafe reader = image_reader_new(path)
  }

  deinit {
    unsafe image_reader_free(reader)
  }

  /// The picture, or nil as long as it is not decoded; throws a `Failure` that names the file.
  func poll() throws -> ColorImage? { try image(within: 0) }

  /// Waits for the picture; throws a `Failure` that names the file.
  func wait() throws -> ColorImage {
    let step: UInt64 = 50_000_000
    for _ in 0..<Self.patience / step {
      if let image = try image(within: step) { return image }
    }
    throw failure
  }

  private func image(within nanoseconds: UInt64) throws -> ColorImage? {
    switch unsafe image_reader_poll(reader, nanoseconds) {
    case IMAGE_READER_WORKING: return nil
    case IMAGE_READER_DONE: break
    default: throw failure
    }
    var (width, height): (CInt, CInt) = (0, 0)
    guard let pixels = unsafe image_reader_pixels(reader, &width, &height) else { throw failure }
    let count = 4 * Int(width) * Int(height)
    return ColorImage(
      width: Int(width), height: Int(height),
      bytes: unsafe Array(UnsafeBufferPointer(start: pixels, count: count)))
  }

  private var failure: Failure {
    let reason = unsafe String(cString: image_reader_reason(reader))
    return Failure(description: "no PNG is to be had from \(path): \(reason)")
  }
}
