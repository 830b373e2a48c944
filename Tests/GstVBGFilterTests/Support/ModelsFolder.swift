import Glibc
import OpenVINOInference
import Testing
import VirtualBackground

/// A models folder of one test's own with some of the installed networks, gone with its last
/// reference.
final class ModelsFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/vbgfilter-models-XXXXXX".utf8CString)
    path = unsafe String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    for file in QualityLadder.files { unsafe unlink(path + "/" + file) }
    unsafe rmdir(path)
  }

  /// Puts an installed network in.
  func link(_ file: String) throws {
    let target = OpenVINOModelLoader.modelsFolder() + "/" + file
    try #require(unsafe symlink(target, path + "/" + file) == 0)
  }

  /// Puts a file in that is no network.
  func writeText(_ file: String) throws {
    let descriptor = unsafe open(path + "/" + file, O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(unsafe write(descriptor, "This is not a network.", 22) == 22)
  }
}
