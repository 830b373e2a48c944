import Glibc
import TestSupport

@testable import OpenVINOInference

extension FuzzTarget {
  /// A cache folder with any files under any names.
  func useCache(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    let outside = TemporaryFolder(in: Self.memory)
    outside.write("precious", "not the cache's")
    let folder = outside.path + "/cache"
    guard unsafe mkdir(folder, 0o700) == 0 else { return }
    var cache = NetworkCache(folder: folder)
    cache.limit = input.choice([1 << 20, 200, 0, 17])
    /// The data stored under each name. A failed write keeps the previous data.
    var written: [String: [[UInt8]]] = [:]
    for _ in 0..<24 where !input.isAtEnd {
      let name = input.choice(["a", "b", "c.family", ".new-1", "d"])
      switch input.integer(in: 0...7) {
      case 0, 1:
        let content = input.fill(input.integer(in: 0...300))
        cache.write(name, content)
        written[name, default: []].append(content)
        // A successful write also cleans the folder.
        if content.count < cache.limit, cache.read(name)?.array == content {
          try expect(Self.size(of: folder) <= cache.limit, "the folder exceeds its limit")
        }
      case 2:
        cache.write(name) { _ in false }
      case 3:
        unsafe unlink(folder + "/" + name)
      case 4:
        Self.damage(folder + "/" + name, &input)
      case 5:
        Self.put(input.choice([name, Self.name(&input)]), in: folder, &input)
      default:
        guard let block = cache.read(name) else { continue }
        // The hash does not protect against forgery, but a fuzzer does not forge by chance.
        try expect(
          written[name, default: []].contains(block.array),
          "the cache returned data that was not written: \(block.array)")
        try readFamily(block.array)
      }
    }
    try readFamily(input.rest())
    try expect(
      TemporaryFolder.entries(of: outside.path).sorted() == ["cache", "precious"],
      "a file outside of the folder was added or removed")
  }

  private func readFamily(_ text: [UInt8]) throws(Finding) {
    guard let family = ModelFamily(text: String(decoding: text, as: UTF8.self)) else { return }
    for side in family.pictureNetwork?.inputShape ?? [] {
      try expect(1...4096 ~= side, "a cached family has a side of \(side)")
    }
  }

  /// Changes the bytes, the length or the age of a file.
  private static func damage(_ path: String, _ input: inout FuzzInput) {
    let file = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    switch input.integer(in: 0...2) {
    case 0: ftruncate(file, input.integer(in: 0...400))
    case 1:
      let bytes = input.fill(input.integer(in: 1...16))
      unsafe pwrite(file, bytes, bytes.count, input.integer(in: 0...300))
    default:
      let time = timespec(tv_sec: input.integer(in: -9999...9999), tv_nsec: 0)
      unsafe futimens(file, [time, time])
    }
  }

  /// Creates any kind of entry under a name.
  private static func put(_ name: String, in folder: String, _ input: inout FuzzInput) {
    let path = folder + "/" + name
    switch input.integer(in: 0...4) {
    case 0: unsafe mkdir(path, 0o700)
    case 1: unsafe symlink("../precious", path)
    case 2: unsafe mkfifo(path, 0o600)
    default:
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { return }
      defer { close(file) }
      let bytes = input.fill(input.integer(in: 0...300))
      unsafe write(file, bytes, bytes.count)
    }
  }

  /// Makes a valid file name of any bytes.
  private static func name(_ input: inout FuzzInput) -> String {
    let bytes = (0..<input.integer(in: 1...20)).map { _ in input.byte() }
    return String(decoding: bytes.filter { $0 != 0 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Returns the total size of the cached files.
  private static func size(of folder: String) -> Int {
    TemporaryFolder.entries(of: folder).reduce(0) { sum, name in
      var information = stat()
      guard unsafe lstat(folder + "/" + name, &information) == 0,
        information.st_mode & S_IFMT == S_IFREG, !name.hasPrefix(".new-")
      else { return sum }
      return sum + Int(information.st_size)
    }
  }
}
