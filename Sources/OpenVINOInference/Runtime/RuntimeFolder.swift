import Glibc
import InferenceTypes
import Processor

/// The folder that holds OpenVINO's libraries and, in `models`, the networks.
///
/// It lies beside the folder of the plugin, `<libdir>/vbgfilter` for `<libdir>/gstreamer-1.0`, so
/// that an installed plugin finds it without any variable; `VBGFILTER_RUNTIME_DIR` overrides that.
/// What lies in it is run: no path to it begins at the working directory, which another user may
/// own.
enum RuntimeFolder {
  static let variable = "VBGFILTER_RUNTIME_DIR"

  /// The folders to look in, best first.
  static func candidates() -> [String] {
    candidates(override: override(), image: ImageFile.current)
  }

  /// The value of the variable; nil when it has none.
  static func override() -> String? {
    Environment.value(of: variable)
  }

  /// The folders for a value of the variable and for the file that this code stands in; all of them
  /// are absolute.
  static func candidates(override: String?, image: ImageFile?) -> [String] {
    if let override { return override.hasPrefix("/") ? [override] : [] }
    guard let image else { return [] }
    let folder = sibling(of: image.path)
    // The plugin may stand in GStreamer's folder as a symbolic link.
    guard let beside = image.link.flatMap(sibling(ofLink:)), beside != folder else {
      return [folder]
    }
    return [beside, folder]
  }

  /// Why there are no candidates.
  static func reasonForNone(override: String?) -> String {
    override.map { "the variable \(variable) is set to \($0), which is no absolute path" }
      ?? "the system does not tell where the plugin lies, and the variable \(variable) is not set"
  }

  /// The C libraries of OpenVINO in a folder, newest first.
  ///
  /// PyPI's wheel has only the name with a version suffix, `libopenvino_c.so.2641`.
  static func libraries(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    let stem = "libopenvino_c.so"
    var found: [(version: [Int], path: String)] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe name(of: entry)
      guard name == stem || name.hasPrefix(stem + ".") else { continue }
      let version = name.dropFirst(stem.count).split(separator: ".").map { Int($0) ?? 0 }
      found.append((version, folder + "/" + name))
    }
    return found.sorted { $1.version.lexicographicallyPrecedes($0.version) }.map(\.path)
  }

  /// The name of an entry, which belongs to its open directory.
  ///
  /// The name must not be copied as 256 bytes: only the bytes up to the terminating zero are
  /// initialised, and the directory's buffer may end before `d_name` does.
  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
  }

  /// The folder of the networks: the first that exists, or the one that was expected.
  static func models(of candidates: [String] = candidates()) -> String {
    let folders = candidates.map { $0 + "/models" }
    // Debian's name for a folder that never exists.
    return folders.first { isDirectory($0) } ?? folders.first ?? "/nonexistent/models"
  }

  /// Says that something is not installed in a folder of networks, and what can be done about it.
  static func notInstalled(
    _ what: String, in folder: String, override: String?
  ) -> SegmentationError {
    let remedy =
      override.map { value in
        value.hasPrefix("/")
          ? "the variable \(variable), which is set to \(value), names the folder vbgfilter"
          : reasonForNone(override: value)
      }
      ?? "the variable \(variable) names the folder vbgfilter, if it does not lie beside the plugin's"
    // No full stop: the filters that tell it go on.
    return SegmentationError(
      .modelNotFound,
      "No \(what) is installed in \(folder); \(remedy); to have it, "
        + SegmentationError.reinstallation)
  }

  /// The folder `vbgfilter` beside that of a file, whose path has no symbolic links.
  private static func sibling(of file: String) -> String {
    let folder = file.lastIndex(of: "/").map { file[..<$0] } ?? ""
    return folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)] + "/vbgfilter"
  }

  /// The folder `vbgfilter` beside that of a link to a file; nil when there is no such folder.
  private static func sibling(ofLink link: String) -> String? {
    // What is above a folder that is a link, the file system knows alone.
    link.lastIndex(of: "/").flatMap { ImageFile.realPath(String(link[..<$0]) + "/") }
      .map { sibling(of: $0 + "/") }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}
