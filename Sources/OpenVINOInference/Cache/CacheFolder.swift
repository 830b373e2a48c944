import Glibc
import Processor

/// The folder that caches compiled networks for the next start.
///
/// The default is `vbgfilter` in the user's cache folder: `$XDG_CACHE_HOME`, else `~/.cache`.
/// `VBGFILTER_CACHE` replaces it with another folder, by absolute path. `0` or any other value
/// except `1` disables the cache.
enum CacheFolder {
  static let variable = "VBGFILTER_CACHE"

  /// Returns the folder that the environment selects, which may not exist, or nil for no cache.
  ///
  /// Privileged programs (setuid, for example) use no cache.
  static func path() -> String? {
    guard getuid() == geteuid(), getgid() == getegid() else { return nil }
    return path(environment: Environment.value)
  }

  /// Returns the folder for an environment.
  static func path(environment: (String) -> String?) -> String? {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let wish = value(variable), wish != "1" { return wish.hasPrefix("/") ? wish : nil }
    // The XDG Base Directory Specification requires relative paths to be ignored.
    if let base = value("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/vbgfilter" }
    // Services may have a home that does not exist. Do not create it.
    guard let home = value("HOME"), home.hasPrefix("/"), unsafe access(home, X_OK) == 0
    else { return nil }
    return home + "/.cache/vbgfilter"
  }

  /// Opens a folder, which the caller closes, or returns -1 if it cannot be used.
  ///
  /// If `wanted`, missing folders are created, accessible by the user alone.
  ///
  /// A folder that other users own or can write to is rejected, because its content is executed.
  /// Use the descriptor from here on: the path may lead to another folder later.
  static func open(_ path: String, wanted: Bool) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var folder = unsafe Glibc.open(path, flags)
    if folder < 0 && wanted {
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
    let folder = open(path, wanted: true)
    return folder >= 0 && close(folder) == 0
  }
}
