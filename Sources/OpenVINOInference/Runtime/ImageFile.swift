import COpenVINO
import Glibc

/// The file that this code was loaded from: a plugin, or a whole program.
///
/// The kernel is asked for it. What the dynamic linker knows need not lead there: it calls a program
/// by the name that it was started with, and a plugin as GStreamer was told to, maybe from a working
/// directory that is another one by now.
struct ImageFile: Equatable {
  /// Absolute, and without symbolic links.
  let path: String
  /// The absolute path that a plugin was opened by, if that leads to it through a symbolic link.
  var link: String?

  /// The file of this code; nil where the system does not tell.
  static let current = unsafe ImageFile(of: #dsohandle)

  init(path: String, link: String? = nil) {
    self.path = path
    self.link = link
  }

  /// The file of the image that an address belongs to.
  private init?(of address: UnsafeRawPointer) {
    var image = unsafe openvino_image()
    guard unsafe openvino_find_image(address, &image) != 0, let base = unsafe image.base,
      let maps = Self.text(of: "/proc/self/maps"),
      let path = Self.path(of: UInt(bitPattern: base), in: maps)
    else { return nil }
    self.path = path
    let name = unsafe image.path.map { unsafe String(cString: $0) } ?? ""
    // The caller of exec chooses the name.
    let isProgram = Self.realPath("/proc/self/exe") == path
    if !isProgram, name.hasPrefix("/"), name != path, Self.realPath(name) == path { link = name }
  }

  /// The file that is mapped at an address, by the lines of `/proc/self/maps`.
  static func path(of address: UInt, in maps: String) -> String? {
    for line in maps.split(separator: "\n") {
      // First address, end, rights, offset, device, inode, and behind spaces the path.
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, let dash = fields[0].firstIndex(of: "-"),
        let first = UInt(fields[0][..<dash], radix: 16),
        let end = UInt(fields[0][dash...].dropFirst(), radix: 16),
        first <= address, address < end
      else { continue }
      var path = fields[5].drop { $0 == " " }
      // A file that was replaced since; its folder is the same.
      let deleted = " (deleted)"
      if path.hasSuffix(deleted) { path = path.dropLast(deleted.count) }
      return path.hasPrefix("/") ? String(path) : nil
    }
    return nil
  }

  /// An absolute path without symbolic links; nil when it leads nowhere.
  static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// All of a file whose size the system does not tell.
  private static func text(of path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(file, &part, part.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += part[..<count]
    }
  }
}
