import Glibc
import Processor

/// Finds and opens the folder that caches compiled networks for the next start.
///
/// The environment variable `VBGFILTER_CACHE` selects the folder:
/// - An absolute path selects that folder.
/// - `1`, an empty value or no value selects `vbgfilter` in the user's cache folder, which is
///   `$XDG_CACHE_HOME` or else `~/.cache`.
/// - `0` or any other value disables the cache.
enum CacheFolder {
  static let variable = "VBGFILTER_CACHE"

  /// Returns the folder that an environment selects, or nil if it disables the cache.
  ///
  /// The folder need not exist. A program that starts with privileges has no variables, and so no
  /// cache.
  static func path(environment: (String) -> String? = Environment.value) -> String? {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let setting = value(variable), setting != "1" {
      return setting.hasPrefix("/") ? setting : nil
    }
    // The XDG Base Directory Specification requires relative paths to be ignored.
    if let base = value("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/vbgfilter" }
    // The home of a service may not exist. Do not create it.
    guard let home = value("HOME"), home.hasPrefix("/"), unsafe access(home, X_OK) == 0
    else { return nil }
    return home + "/.cache/vbgfilter"
  }

  /// Opens a folder and returns its descriptor, or -1 if the folder cannot be used.
  ///
  /// - With `create`, missing folders are created, with access for the user only.
  /// - A folder that another user owns or can write to is rejected, because its files are executed.
  /// - The caller closes the descriptor.
  /// - Afterwards use the descriptor, not the path, which may refer to another folder later.
  static func open(_ path: String, create: Bool) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var folder = unsafe Glibc.open(path, flags)
    if folder < 0 && create {
      var end = path.startIndex
      while end < path.endIndex {
        end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
        unsafe mkdir(String(path[..<end]), 0o700)
      }
      folder = unsafe Glibc.open(path, flags)
    }
    guard folder >= 0 else { return -1 }
    var information = stat()
    if unsafe fstat(folder, &information) == 0, information.st_uid == geteuid(),
      information.st_mode & 0o022 == 0
    {
      return folder
    }
    close(folder)
    return -1
  }

  /// Returns whether a folder can be used, after creating it if needed.
  static func prepare(_ path: String) -> Bool {
    let folder = open(path, create: true)
    return folder >= 0 && close(folder) == 0
  }
}
