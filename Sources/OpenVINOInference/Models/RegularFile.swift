import Glibc
import InferenceTypes

/// A file of a model, open for reading.
///
/// Only regular files of limited size are accepted, because a pipe or a device may never end. The
/// checks use the descriptor, so the checked file is the file that is read.
struct RegularFile: ~Copyable {
  /// The maximum size in bytes, far above the 15 MB of the largest bundled network.
  static let limit = 1 << 30
  /// The number of bytes to read between two checks for cancellation.
  static let step = 1 << 16

  /// The size in bytes at the time of opening.
  ///
  /// Bytes that are appended later are not read.
  let size: Int
  private let path: String
  private let descriptor: Int32

  /// Opens a file without blocking.
  init(_ path: String) throws(SegmentationError) {
    // Without `O_NONBLOCK`, opening a pipe without a writer would block.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if descriptor < 0 { throw Self.cannotOpen(path, errno) }
    do throws(SegmentationError) {
      size = try Self.checkedSize(of: descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Reads up to `count` bytes from the beginning, by default the whole file.
  func bytes(
    upTo count: Int = .max, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, size))
    try unsafe forEachPart(upTo: count, isCancelled: isCancelled) {
      unsafe bytes.append(contentsOf: $0)
    }
    return bytes
  }

  /// Returns the checksum of all bytes, which can be the `seed` for another file.
  func checksum(seed: UInt64, isCancelled: () -> Bool) throws(SegmentationError) -> UInt64 {
    var sum = seed
    try unsafe forEachPart(isCancelled: isCancelled) { unsafe sum = Checksum.of($0, seed: sum) }
    return sum
  }

  /// Passes the file to `body` in parts that fit the processor's cache.
  ///
  /// Each part is valid only during `body`.
  private func forEachPart(
    upTo count: Int = .max, isCancelled: () -> Bool, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(SegmentationError) {
    let end = min(count, size)
    let failure = unsafe withUnsafeTemporaryAllocation(byteCount: Self.step, alignment: 16) {
      part -> SegmentationError? in
      var offset = 0
      while offset < end {
        if isCancelled() {
          return SegmentationError(.modelUnreadable, "\(path) is no longer needed.")
        }
        let count = unsafe pread(
          descriptor, part.baseAddress, min(part.count, end - offset), offset)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return Self.cannotOpen(path, errno) }
        if count == 0 { break }
        unsafe body(UnsafeRawBufferPointer(rebasing: part[..<count]))
        offset += count
      }
      return nil
    }
    if let failure { throw failure }
  }

  private static func checkedSize(
    of descriptor: Int32, _ path: String
  ) throws(SegmentationError) -> Int {
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw cannotOpen(path, errno) }
    switch information.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw SegmentationError(
        .modelUnreadable, "\(path) is a directory; a model is one .onnx, .tflite or .xml file.")
    default:
      throw SegmentationError(
        .modelUnreadable,
        "\(path) is a pipe, a socket or a device: use the path of a model file.")
    }
    guard information.st_size <= limit else {
      throw SegmentationError(
        .modelUnreadable,
        "\(path) is too large for a model: it has \(information.st_size) bytes, and at most "
          + "\(limit) are read.")
    }
    return Int(information.st_size)
  }

  private static func cannotOpen(_ path: String, _ code: Int32) -> SegmentationError {
    if code == ENOENT || code == ENOTDIR {
      return SegmentationError(
        .modelNotFound,
        "There is no model \(path): check the path, or use a model in \(RuntimeFolder.models()). "
          + "If it is a model of vbgfilter, \(SegmentationError.reinstallation).")
    }
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return SegmentationError(
      .modelUnreadable, "\(path) cannot be read: \(reason). Check the file and its permissions.")
  }
}
