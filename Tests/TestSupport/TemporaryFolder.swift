#if canImport(Glibc)
  import Glibc
#endif

/// A folder for one test, removed with the last reference to it.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Makes an empty folder in `parent`, or ends the process if that fails.
  package init(in parent: String = "/tmp") {
    var template = Array((parent + "/vbgfilter-test-XXXXXX").utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer {
      guard let name = $0.baseAddress, unsafe mkdtemp(name) != nil else {
        fatalError("no folder can be made in \(parent)")
      }
      return unsafe String(cString: name)
    }
  }

  deinit {
    Self.remove(path)
  }

  /// Writes a file and returns its path, or ends the process if that fails.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) -> String {
    let file = path + "/" + name
    let bytes = Array(bytes)
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      fatalError("\(file) cannot be written")
    }
    close(descriptor)
    return file
  }

  /// Writes a text file and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String = "") -> String {
    write(name, Array(text.utf8))
  }

  /// Makes a symbolic link to a file of the same name in another folder.
  package func link(_ name: String, from folder: String) {
    guard unsafe symlink("\(folder)/\(name)", "\(path)/\(name)") == 0 else {
      fatalError("\(path)/\(name) cannot be linked")
    }
  }

  /// Returns the names of the entries of a folder.
  package static func entries(of folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a folder and its contents.
  package static func remove(_ folder: String) {
    for name in entries(of: folder) where unsafe unlink(folder + "/" + name) != 0 {
      remove(folder + "/" + name)
    }
    unsafe rmdir(folder)
  }
}
