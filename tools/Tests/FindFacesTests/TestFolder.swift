import Glibc

/// A folder in /tmp that is removed with the last reference to it.
final class TestFolder {
  let path: String

  /// Makes an empty folder.
  ///
  /// Ends the process on failure.
  init() {
    var template = Array("/tmp/vbgfilter-test-XXXXXX".utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer { name in
      guard let name = name.baseAddress, unsafe mkdtemp(name) != nil else {
        fatalError("no folder can be made in /tmp")
      }
      return unsafe String(cString: name)
    }
  }

  deinit {
    _ = unsafe system("rm -rf \(path)")
  }
}
