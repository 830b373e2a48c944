import Glibc
import Processor

/// Where networks that were made ready are kept for the next start.
///
/// `vbgfilter` in the user's cache folder: `$XDG_CACHE_HOME`, else `~/.cache`. `VBGFILTER_CACHE` set
/// to the absolute path of a folder takes that instead; set to `0`, or to anything else that is no
/// such path, it switches the cache off.
enum CacheFolder {
  static let variable = "VBGFILTER_CACHE"

  /// The folder that the environment asks for, which need not exist; nil for no cache.
  ///
  /// A program that runs with rights its user has not got ignores the environment.
  static func path() -> String? {
    guard getuid() == geteuid(), getgid() == getegid() else { return nil }
    return path(environment: Environment.value)
  }

  /// The folder for an environment.
  static func path(environment: (String) -> String?) -> String? {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let wish = value(variable), wish != "1" { return wish.hasPrefix("/") ? wish : nil }
    // The XDG Base Directory Specification has relative paths ignored.
    if let base = value("XDG_CACHE_HOME"), base.hasPrefix("/") { return base + "/vbgfilter" }
    // A home that does not exist, as services have it, is not to be made.
    guard let home = value("HOME"), home.hasPrefix("/"), unsafe access(home, X_OK) == 0
    else { return nil }
    return home + "/.cache/vbgfilter"
  }

  /// Opens a folder, which the caller closes; -1 when it cannot be used.
  ///
  /// Where it is `wanted`, it is made with those above it, for the user alone.
  ///
  /// A folder that other users own or may write to is not used: what lies in it will be run. The
  /// descriptor is used from here on, for the path may lead elsewhere by then.
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

  /// Makes a folder, if need be; says whether it can be used.
  static func prepare(_ path: String) -> Bool {
    let folder = open(path, wanted: true)
    return folder >= 0 && close(folder) == 0
  }
}
