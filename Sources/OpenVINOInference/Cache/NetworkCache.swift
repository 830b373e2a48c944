import Glibc

/// Files in the user's cache folder, each sealed with a hash of its bytes.
///
/// Nothing here can fail: what cannot be read is not there, what cannot be written is not kept.
/// Processes may use it at the same time: a file comes to its name complete, or not at all.
struct NetworkCache: Sendable {
  let folder: String
  /// Bytes that all files may have together; the ones that were not used for longest have to go.
  var limit = 256 << 20

  private static let mark: UInt64 = 0x3165_6863_6167_6276
  private static let sealSize = 16
  private static let temporaryPrefix = ".new-"

  /// What was kept under a name; nil when there is nothing, or not what was written.
  func read(_ name: String) -> MemoryBlock? {
    let folder = CacheFolder.open(folder, wanted: false)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    let file = unsafe openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var information = stat()
    guard unsafe fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      information.st_uid == geteuid(), information.st_size <= limit
    else { return nil }
    let size = Int(information.st_size)
    let block = unsafe MemoryBlock(capacity: size) { memory in
      let count = size - Self.sealSize
      guard count >= 0, unsafe FileBytes.read(file, into: memory[...]) == size else { return nil }
      let content = unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
      return unsafe memory[count...].elementsEqual(Self.seal(content, name)) ? count : nil
    }
    guard let block else {
      unsafe unlinkat(folder, name, 0)
      return nil
    }
    // Used just now.
    futimens(file, nil)
    return block
  }

  /// Keeps what `fill` writes into the file whose path it is given, unless it says that it failed.
  func write(_ name: String, _ fill: (String) -> Bool) {
    // By its descriptor: other paths may lead to something else meanwhile.
    writeFile(name) { file in fill("/proc/self/fd/\(file)") }
  }

  /// Keeps bytes.
  func write(_ name: String, _ bytes: [UInt8]) {
    writeFile(name) { file in unsafe Glibc.write(file, bytes, bytes.count) == bytes.count }
  }

  private func writeFile(_ name: String, _ fill: (Int32) -> Bool) {
    let folder = CacheFolder.open(folder, wanted: true)
    guard folder >= 0 else { return }
    defer { close(folder) }
    let new = "\(Self.temporaryPrefix)\(UInt64.random(in: 0 ... .max))"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file = unsafe openat(folder, new, flags, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    guard fill(file), seal(file, name), unsafe renameat(folder, new, folder, name) == 0 else {
      unsafe unlinkat(folder, new, 0)
      return
    }
    prune(folder, keeping: name)
  }

  /// Throws away what is kept under a name.
  func remove(_ name: String) {
    let folder = CacheFolder.open(folder, wanted: false)
    guard folder >= 0 else { return }
    unsafe unlinkat(folder, name, 0)
    close(folder)
  }

  /// Ends a file with the hash of all of it.
  private func seal(_ file: Int32, _ name: String) -> Bool {
    var information = stat()
    guard unsafe fstat(file, &information) == 0, information.st_size < limit,
      let bytes = FileBytes.read(file, count: Int(information.st_size)),
      bytes.count == Int(information.st_size)
    else { return false }
    let seal = unsafe bytes.withUnsafeBytes { unsafe Self.seal($0, name) }
    return unsafe pwrite(file, seal, seal.count, information.st_size) == seal.count
  }

  /// The name is part of it: a file that was given another one is not what it says.
  private static func seal(_ bytes: UnsafeRawBufferPointer, _ name: String) -> [UInt8] {
    let hash = unsafe XXHash64.hash(bytes, seed: XXHash64.hash(name))
    return [mark, hash].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
  }

  /// Keeps the folder within its limit, and free of what broken-off processes left.
  private func prune(_ folder: Int32, keeping name: String) {
    // The list takes its descriptor over.
    let list = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard let directory = unsafe fdopendir(list) else {
      close(list)
      return
    }
    defer { unsafe closedir(directory) }
    var files: [(used: Int, size: Int, name: String)] = []
    let now = time(nil)
    while let entry = unsafe readdir(directory) {
      let other = unsafe RuntimeFolder.name(of: entry)
      var information = stat()
      guard unsafe fstatat(folder, other, &information, AT_SYMLINK_NOFOLLOW) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      let used = information.st_mtim.tv_sec
      if other.hasPrefix(Self.temporaryPrefix) {
        if now - used > 3600 { unsafe unlinkat(folder, other, 0) }
      } else {
        files.append((other == name ? .max : used, Int(information.st_size), other))
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
