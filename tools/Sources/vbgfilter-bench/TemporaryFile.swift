#if canImport(Glibc)
  import Glibc
#endif

/// A file that is deleted when this object is deinitialized.
final class TemporaryFile {
  let path: String

  /// Creates an empty file in the folder that TMPDIR names, or in /tmp.
  ///
  /// Returns nil on failure.
  init?() {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    guard let name = unsafe strdup(folder + "/vbgfilter-bench.XXXXXX") else { return nil }
    defer { unsafe free(name) }
    let descriptor = unsafe mkstemp(name)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    path = unsafe String(cString: name)
  }

  deinit {
    unsafe unlink(path)
  }
}
