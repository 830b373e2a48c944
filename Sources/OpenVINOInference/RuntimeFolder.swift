import COpenVINO
import Glibc
import VirtualBackground

/// The folder that holds OpenVINO's libraries and, in `models`, the networks.
///
/// It lies beside the folder of the plugin, `<libdir>/vbgfilter` for `<libdir>/gstreamer-1.0`, so
/// that an installed plugin finds it without any variable; `VBGFILTER_RUNTIME_DIR` overrides that.
enum RuntimeFolder {
  static let variable = "VBGFILTER_RUNTIME_DIR"

  /// The folders to look in, best first.
  static func candidates() -> [String] {
    candidates(override: override(), image: imagePath())
  }

  /// The value of the variable; nil when it has none.
  static func override() -> String? {
    let value = unsafe getenv(variable).map { unsafe String(cString: $0) }
    return value == "" ? nil : value
  }

  /// The folders for a value of the variable and for the file that this code stands in.
  static func candidates(override: String?, image: String?) -> [String] {
    if let override, !override.isEmpty { return [override] }
    guard let image else { return [] }
    let folder = sibling(of: image)
    // The plugin may stand in GStreamer's folder as a symbolic link.
    let target = realPath(image).map(sibling) ?? folder
    return target == folder ? [folder] : [folder, target]
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
  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
  }

  /// The folder of the networks: the first that exists, or the one that was expected.
  static func models(of candidates: [String] = candidates()) -> String {
    let folders = candidates.map { $0 + "/models" }
    return folders.first { isDirectory($0) } ?? folders.first ?? "models"
  }

  /// Says that something is not installed in a folder of networks, and what can be done about it.
  static func notInstalled(
    _ what: String, in folder: String, override: String?
  ) -> SegmentationError {
    let remedy =
      override.map { "the variable \(variable), which is set to \($0), names the folder vbgfilter" }
      ?? "the variable \(variable) names the folder vbgfilter, if it does not lie beside the plugin's"
    // No full stop: the filters that tell it go on.
    return SegmentationError(
      .modelNotFound,
      "No \(what) is installed in \(folder); \(remedy); ./meson-helper/bootstrap fetches the networks"
    )
  }

  /// Without `..`, so that a user who is told the path can read it.
  private static func sibling(of image: String) -> String {
    let folder = image.lastIndex(of: "/").map { String(image[..<$0]) } ?? "."
    // What is above a folder that is a link, the file system knows alone.
    guard let real = realPath(folder), let end = real.lastIndex(of: "/") else {
      return folder + "/../vbgfilter"
    }
    return real[..<end] + "/vbgfilter"
  }

  /// The file of the plugin, or of the program, that this code stands in.
  private static func imagePath() -> String? {
    var image = unsafe openvino_image()
    guard unsafe openvino_find_image(#dsohandle, &image) != 0, let path = unsafe image.path
    else { return nil }
    return unsafe String(cString: path)
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  private static func isDirectory(_ path: String) -> Bool {
    var information = stat()
    return unsafe stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }
}
