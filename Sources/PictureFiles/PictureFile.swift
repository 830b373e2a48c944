import Glibc

/// A picture file, opened for reading.
///
/// The file is opened once and then accessed only by its descriptor, so the decoder reads the file
/// that was checked.
public struct PictureFile: ~Copyable {
  /// The descriptor, open for reading with its position at the start until `deinit` closes it.
  public let descriptor: CInt
  /// The size of the file in bytes.
  public let size: Int

  /// Opens a file without waiting for a pipe or touching a device.
  public init(path: String) throws(PictureFileError) {
    func failure(_ code: CInt) -> PictureFileError {
      if code == ENOENT || code == ENOTDIR {
        return PictureFileError(
          kind: .notFound, path: path, reason: "does not exist; \(Self.hint(for: path))")
      }
      return PictureFileError(
        kind: .unreadable, path: path,
        reason: "cannot be read: \(unsafe String(cString: strerror(code))); check its permissions")
    }
    // Check before opening: opening a device can have effects, and opening a pipe can block.
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw failure(errno) }
    try Self.check(status, path)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(errno) }
    do throws(PictureFileError) {
      // Check again, because the file could have been replaced in between.
      guard unsafe fstat(descriptor, &status) == 0 else { throw failure(errno) }
      try Self.check(status, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    size = status.st_size
  }

  deinit {
    close(descriptor)
  }

  /// Returns up to `count` bytes from `offset`.
  public func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    return Self.read(descriptor, at: offset, count: min(count, size - offset))
  }

  /// Returns up to `count` bytes of an open file.
  static func read(_ descriptor: CInt, at offset: Int, count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < buffer.count {
        let result = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + initialized },
          buffer.count - initialized, offset + initialized)
        if result > 0 {
          initialized += result
        } else if result == 0 || errno != EINTR {
          break
        }
      }
    }
  }

  /// Returns a hint about the likely mistake in a path that does not exist.
  private static func hint(for path: String) -> String {
    switch path.first {
    case "~": "~ is not replaced by a home directory: write the whole path"
    case "#": "a colour is not a file: set effect=color, and background-color=0xffRRGGBB"
    default: "relative paths begin at the program's working directory"
    }
  }

  private static func check(_ status: stat, _ path: String) throws(PictureFileError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG where status.st_size > 0:
      break
    case S_IFREG:
      throw PictureFileError(
        kind: .empty, path: path, reason: "is empty; use the path of a picture")
    case S_IFDIR:
      throw PictureFileError(
        kind: .notAFile, path: path,
        reason: "is a directory; use the path of a picture in it")
    default:
      throw PictureFileError(
        kind: .notAFile, path: path,
        reason: "is a pipe, a socket or a device; use the path of a picture file")
    }
  }
}

/// The reason why a file cannot be read as a picture.
public struct PictureFileError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, for programs (`reason` is for users).
  public enum Kind: Equatable, Sendable {
    /// The file does not exist.
    case notFound
    /// The path refers to a directory, a pipe, a socket or a device.
    case notAFile
    /// The file exists but cannot be read.
    case unreadable
    /// The file has no bytes.
    case empty
  }

  /// The kind of failure.
  public let kind: Kind
  /// The path of the file.
  public let path: String
  /// The problem and its fix, as the end of a sentence that begins with the path.
  public let reason: String

  /// A sentence for the user with the file, the problem and the fix.
  public var description: String { "'\(path)' \(reason)" }
}
