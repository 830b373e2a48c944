import COpenVINO
import Glibc
import InputFiles

/// The file that this code was loaded from: a plugin, or a whole program.
///
/// The path comes from the kernel, because the dynamic linker's path may be wrong. For a program,
/// it is the name in the command line. For a plugin, it is GStreamer's path, which may be relative
/// to an earlier working directory.
struct ImageFile: Equatable {
  /// The absolute path without symbolic links.
  let path: String
  /// The absolute path through a symbolic link by which a plugin was opened, or nil.
  var link: String?

  /// The file that contains this code, or nil if the system does not report it.
  static let current = unsafe ImageFile(of: #dsohandle)

  init(path: String, link: String? = nil) {
    self.path = path
    self.link = link
  }

  /// Finds the file of the image that contains an address.
  private init?(of address: UnsafeRawPointer) {
    guard let maps = Self.text(of: "/proc/self/maps"),
      let path = Self.path(of: UInt(bitPattern: address), in: maps)
    else { return nil }
    self.path = path
    let name = unsafe Self.name(of: address) ?? ""
    // For a program, the caller of `exec` chooses the name, so do not trust it.
    let isProgram = Self.realPath("/proc/self/exe") == path
    if !isProgram, name.hasPrefix("/"), name != path, Self.realPath(name) == path { link = name }
  }

  /// Returns the dynamic linker's path of the image that contains an address.
  static func name(of address: UnsafeRawPointer) -> String? {
    var image = unsafe openvino_image()
    guard unsafe openvino_find_image(address, &image) != 0 else { return nil }
    return unsafe image.path.map { unsafe String(cString: $0) }
  }

  /// Returns the file mapped at an address, according to the lines of `/proc/self/maps`.
  static func path(of address: UInt, in maps: String) -> String? {
    for line in maps.split(separator: "\n") {
      // The fields are: first address and end, permissions, offset, device, inode, path.
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, let dash = fields[0].firstIndex(of: "-"),
        let first = UInt(fields[0][..<dash], radix: 16),
        let end = UInt(fields[0][dash...].dropFirst(), radix: 16),
        first <= address, address < end
      else { continue }
      var path = fields[5].drop { $0 == " " }
      // The file was deleted or replaced since it was loaded. Its folder is still the same.
      let deleted = " (deleted)"
      if path.hasSuffix(deleted) { path = path.dropLast(deleted.count) }
      return path.hasPrefix("/") ? String(path) : nil
    }
    return nil
  }

  /// Returns an absolute path without symbolic links, or nil if it does not exist.
  static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Returns the content of a file that does not report its size, or nil if reading fails.
  static func text(of path: String) -> String? {
    guard let file = try? RegularFile(path: path) else { return nil }
    var bytes: [UInt8] = []
    while let piece = try? RegularFile.read(file.descriptor, at: bytes.count, count: 1 << 14) {
      if piece.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece
    }
    return nil
  }
}
