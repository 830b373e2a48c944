import Glibc

/// A regular file, open for reading.
///
/// The file is opened once and then accessed only by its descriptor, so the checked file is the
/// file that is read. A pipe or a device is refused, because it may block or never end.
public struct RegularFile: ~Copyable {
  /// The maximum number of bytes to read, far above the size of pictures and networks.
  public static let limit = 1 << 30
  /// The number of bytes to read at once, which fit the processor's cache.
  public static let pieceSize = 1 << 16

  /// The path with which the file was opened.
  public let path: String
  /// The descriptor, open for reading with its position at the start until `deinit` closes it.
  public let descriptor: CInt
  /// The size in bytes at the time of opening.
  ///
  /// Bytes that are appended later are not read.
  public let size: Int

  /// Opens a file without waiting for a pipe or touching a device.
  public init(path: String) throws(FileError) {
    // Check before opening: opening a device can have effects, and opening a pipe can block.
    var status = stat()
    try Self.check(unsafe stat(path, &status), status)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileError(code: errno) }
    do throws(FileError) {
      // Check again, because the file could have been replaced in between.
      try Self.check(unsafe fstat(descriptor, &status), status)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    size = status.st_size
  }

  deinit { close(descriptor) }

  /// Returns up to `count` bytes from `offset`, fewer only at the end of the file.
  ///
  /// Neither may be negative.
  public static func read(
    _ descriptor: CInt, at offset: Int, count: Int
  ) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < buffer.count {
        let result = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + initialized },
          buffer.count - initialized, offset + initialized)
        if result == 0 { return }
        if result > 0 {
          initialized += result
        } else if errno != EINTR {
          return failure = FileError(code: errno)
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func check(_ result: CInt, _ status: stat) throws(FileError) {
    if result != 0 { throw FileError(code: errno) }
    let kind = status.st_mode & S_IFMT
    if kind != S_IFREG { throw kind == S_IFDIR ? .directory : .special }
  }
}

/// The reason why a file cannot be read.
public enum FileError: Error, Equatable, CustomStringConvertible {
  case notFound, directory
  /// A pipe, a socket or a device.
  case special
  /// The system refuses to open or read the file.
  case unreadable(code: CInt)

  init(code: CInt) {
    self = code == ENOENT || code == ENOTDIR ? .notFound : .unreadable(code: code)
  }

  /// The end of a sentence that begins with the path.
  public var description: String {
    switch self {
    case .notFound: "does not exist"
    case .directory: "is a directory"
    case .special: "is a pipe, a socket or a device"
    case .unreadable(let code):
      "cannot be read: \(unsafe strerror(code).map { unsafe String(cString: $0) } ?? "\(code)")"
    }
  }
}
