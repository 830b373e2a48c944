import Glibc

/// Files in a cache folder, each of which ends with a checksum of its content and name.
///
/// No method throws: an unreadable file counts as missing, and a failed write stores nothing.
/// Several processes may share a folder, because a file gets its name only when it is complete.
struct NetworkCache: Sendable {
  let folder: String
  /// The maximum total size of the files in bytes.
  ///
  /// The least recently used files are removed first.
  var limit = 256 << 20

  private static let temporaryPrefix = ".new-"
  private static let checksumSize = MemoryLayout<UInt64>.size

  /// Returns the content stored under a name, or `nil` if it is missing or damaged.
  func read(_ name: String) -> MemoryBlock? {
    let folder = CacheFolder.open(folder, create: false)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    let file = unsafe openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var information = stat()
    guard unsafe fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      information.st_uid == geteuid(), information.st_size <= limit
    else { return nil }
    let count = Int(information.st_size) - Self.checksumSize
    var checksum: UInt64 = 0
    guard count >= 0, let block = MemoryBlock(reading: count, from: file),
      unsafe pread(file, &checksum, Self.checksumSize, count) == Self.checksumSize,
      checksum == Self.checksum(of: block, name)
    else {
      unsafe unlinkat(folder, name, 0)
      return nil
    }
    // Record the time of this use.
    futimens(file, nil)
    return block
  }

  /// Stores the content that `fill` writes to the path that it receives.
  ///
  /// Stores nothing if `fill` returns false.
  func write(_ name: String, _ fill: (String) -> Bool) {
    // Use the descriptor: the path may refer to another file by now.
    writeFile(name) { file in fill("/proc/self/fd/\(file)") }
  }

  /// Stores bytes under a name.
  func write(_ name: String, _ bytes: [UInt8]) {
    writeFile(name) { file in unsafe Glibc.write(file, bytes, bytes.count) == bytes.count }
  }

  private func writeFile(_ name: String, _ fill: (Int32) -> Bool) {
    let folder = CacheFolder.open(folder, create: true)
    guard folder >= 0 else { return }
    defer { close(folder) }
    let new = "\(Self.temporaryPrefix)\(UInt64.random(in: 0 ... .max))"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file = unsafe openat(folder, new, flags, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    guard fill(file), appendChecksum(to: file, name),
      unsafe renameat(folder, new, folder, name) == 0
    else {
      unsafe unlinkat(folder, new, 0)
      return
    }
    prune(folder, keeping: name)
  }

  private func appendChecksum(to file: Int32, _ name: String) -> Bool {
    var information = stat()
    guard unsafe fstat(file, &information) == 0,
      case let count = Int(information.st_size), count <= limit - Self.checksumSize,
      let block = MemoryBlock(reading: count, from: file)
    else { return false }
    var checksum = Self.checksum(of: block, name)
    return unsafe pwrite(file, &checksum, Self.checksumSize, count) == Self.checksumSize
  }

  /// Returns a checksum that includes the name, so that a renamed file is rejected.
  private static func checksum(of block: MemoryBlock, _ name: String) -> UInt64 {
    unsafe Checksum.of(block.bytes, seed: Checksum.of(name))
  }

  /// Removes old files until the folder is within its limit, and files of interrupted writes.
  private func prune(_ folder: Int32, keeping name: String) {
    var files: [(used: Int, size: Int, name: String)] = []
    let now = time(nil)
    for other in RuntimeFolder.names(in: "/proc/self/fd/\(folder)") {
      var information = stat()
      guard unsafe fstatat(folder, other, &information, AT_SYMLINK_NOFOLLOW) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      let used = information.st_mtim.tv_sec
      if other.hasPrefix(Self.temporaryPrefix) {
        if now - used > 3600 { unsafe unlinkat(folder, other, 0) }
      } else {
        // Limit each size, so that the sum does not overflow.
        files.append((other == name ? .max : used, min(information.st_size, limit + 1), other))
      }
    }
    var total = files.reduce(0) { $0 + $1.size }
    for file in files.sorted(by: { $0.used < $1.used }) {
      if total <= limit { return }
      unsafe unlinkat(folder, file.name, 0)
      total -= file.size
    }
  }
}

/// The content of a file, in memory that does not move.
///
/// Safety: the object owns the memory, which does not change after `init`.
@safe final class MemoryBlock: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let count: Int

  /// Reads the first `count` bytes of a file.
  ///
  /// Returns `nil` if reading fails or the file is shorter.
  init?(reading count: Int, from file: Int32) {
    // OpenVINO reads the weights of a restored network here, with aligned vectors.
    unsafe memory = .allocate(byteCount: max(count, 1), alignment: 64)
    self.count = count
    var filled = 0
    while filled < count {
      let step = unsafe pread(file, memory + filled, count - filled, filled)
      if step < 0 && errno == EINTR { continue }
      if step <= 0 { return nil }
      filled += step
    }
  }

  deinit { unsafe memory.deallocate() }

  /// The bytes, valid for as long as this object lives.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory, count: count) }

  /// A copy of the bytes.
  var array: [UInt8] { unsafe Array(bytes) }
}
