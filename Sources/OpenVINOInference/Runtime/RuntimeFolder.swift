import Glibc
import Matting
import Processor

/// The folder that contains OpenVINO's libraries and, in `models`, the networks.
///
/// - The default is `vbgfilter` next to the plugin's folder: `<libdir>/vbgfilter` for a plugin in
///   `<libdir>/gstreamer-1.0`.
/// - `VBGFILTER_RUNTIME_DIR` overrides the default.
/// - Relative paths are not used, because the folder's content is executed and another user may own
///   the working directory.
enum RuntimeFolder {
  static let variable = "VBGFILTER_RUNTIME_DIR"

  /// Returns the value of the variable, or nil if it is not set.
  static func override() -> String? { Environment.value(of: variable) }

  /// Returns the folders to search, in order of preference, for a value of the variable and the
  /// file of this code.
  ///
  /// All paths are absolute.
  static func candidates(
    override: String? = override(), image: ImageFile? = ImageFile.current
  ) -> [String] {
    if let override { return override.hasPrefix("/") ? [override] : [] }
    guard let image else { return [] }
    let folder = sibling(of: image.path)
    // GStreamer's folder may contain the plugin as a symbolic link.
    guard let beside = image.link.flatMap(sibling(ofLink:)), beside != folder else {
      return [folder]
    }
    return [beside, folder]
  }

  /// Returns the reason why `candidates` is empty.
  static func reasonForNone(override: String? = override()) -> String {
    override.map { "the variable \(variable) is set to \($0), which is not an absolute path" }
      ?? "the folder of the plugin is unknown, and the variable \(variable) is not set"
  }

  /// Returns the C libraries of OpenVINO in a folder, newest first.
  ///
  /// The Python wheel contains only a name with a version suffix, such as `libopenvino_c.so.2641`.
  static func libraries(in folder: String) -> [String] {
    let stem = "libopenvino_c.so"
    func version(_ name: String) -> [Int] {
      name.dropFirst(stem.count).split(separator: ".").map { Int($0) ?? 0 }
    }
    return names(in: folder).filter { $0 == stem || $0.hasPrefix(stem + ".") }
      .sorted { version($1).lexicographicallyPrecedes(version($0)) }.map { folder + "/" + $0 }
  }

  /// Returns the names of the entries of a folder, or an empty list if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      // Do not copy 256 bytes. Only the bytes up to the terminating zero are initialised, and the
      // directory's buffer may end before `d_name` does.
      unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          names.append(unsafe String(cString: $0))
        }
      }
    }
    return names
  }

  /// Returns the folder of the networks.
  ///
  /// It is the first existing candidate, or else the first candidate.
  static func models(of candidates: [String] = candidates()) -> String {
    let folders = candidates.map { $0 + "/models" }
    // A path with a slash at its end exists only if it is a folder. Debian's name for a folder that
    // never exists is the last resort.
    return folders.first { unsafe access($0 + "/", F_OK) == 0 } ?? folders.first
      ?? "/nonexistent/models"
  }

  /// Returns the error for a file or network that is not installed, with a remedy.
  static func notInstalled(
    _ what: String, in folder: String, override: String? = override()
  ) -> SegmentationError {
    let remedy =
      override.map { value in
        let cause =
          value.hasPrefix("/")
          ? "the variable \(variable) is set to \(value)" : reasonForNone(override: value)
        return "\(cause). Correct it, or "
      }
      ?? "if the folder vbgfilter is elsewhere, set the variable \(variable) to it. Otherwise "
    // No full stop: the filters append more text to this message.
    return SegmentationError(
      .modelNotFound,
      "No \(what) is installed in \(folder): \(remedy)\(SegmentationError.reinstallation)")
  }

  /// Returns the folder `vbgfilter` next to the folder of a file.
  ///
  /// `file` must be a path without symbolic links.
  private static func sibling(of file: String) -> String {
    let folder = file.lastIndex(of: "/").map { file[..<$0] } ?? ""
    return folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)] + "/vbgfilter"
  }

  /// Returns the folder `vbgfilter` next to the folder of a link, or nil if it does not exist.
  private static func sibling(ofLink link: String) -> String? {
    // If the folder is a symbolic link, its parent cannot be derived from the path.
    link.lastIndex(of: "/").flatMap { ImageFile.realPath(String(link[..<$0]) + "/") }
      .map { sibling(of: $0 + "/") }
  }
}
