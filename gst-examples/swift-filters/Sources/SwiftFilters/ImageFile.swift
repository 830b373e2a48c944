import Glibc

/// A file that a picture is expected in, open for reading.
///
/// Used by its descriptor from then on, so that what was checked is what is decoded.
struct ImageFile {
  /// Whoever has opened the file closes it.
  let descriptor: CInt
  /// Number of bytes, at least one.
  let size: Int

  /// Opens a file; never waits for one that is a pipe, nor touches a device.
  ///
  /// - Throws: `ImageError`.
  init(path: String) throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Self.failure(path, errno) }
    try Self.check(status, path)
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    do {
      // Once more, for it may have been exchanged in between.
      guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
      try Self.check(status, path)
    } catch {
      close(descriptor)
      throw error
    }
    size = status.st_size
  }

  /// The bytes from `offset` on: `count` of them, or as many as there are.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard count > 0, 0..<size ~= offset else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: min(count, size - offset)) {
      buffer, filled in
      while filled < buffer.count {
        guard let base = buffer.baseAddress else { return }
        let read = unsafe pread(descriptor, base + filled, buffer.count - filled, offset + filled)
        if read > 0 { filled += read } else if read == 0 || errno != EINTR { return }
      }
    }
  }

  private static func check(_ status: stat, _ path: String) throws {
    switch status.st_mode & S_IFMT {
    case S_IFREG where status.st_size > 0: return
    case S_IFREG: throw ImageError(path, "is empty; give the path of a picture")
    case S_IFDIR: throw ImageError(path, "is a directory; give the path of a picture in it")
    default:
      throw ImageError(
        path, "is a pipe, a socket or a device; give the path of a picture file")
    }
  }

  private static func failure(_ path: String, _ code: CInt) -> ImageError {
    if code == ENOENT || code == ENOTDIR {
      return ImageError(
        path, "does not exist; relative paths begin at the program's working directory")
    }
    let reason = unsafe String(cString: strerror(code))
    return ImageError(path, "cannot be read: \(reason); check its permissions")
  }
}
