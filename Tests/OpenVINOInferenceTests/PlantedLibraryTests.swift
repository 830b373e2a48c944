import Glibc
import TestSupport
import Testing

@testable import OpenVINOInference

/// Libraries that somebody else put where they might be taken for OpenVINO's.
///
/// `find-faces` is run, which loads OpenVINO's library and tells of each file that it tried.
struct PlantedLibraryTests {
  private let folder = TemporaryFolder()

  init() {
    for name in ["work", "vbgfilter", "vbgfilter/models"] {
      #expect(unsafe mkdir(folder.path + "/" + name, 0o755) == 0)
    }
    #expect(unsafe chmod(folder.path, 0o755) == 0)
    _ = folder.write("work/frame", repeatElement(0, count: 384))
    // A library of another kind: that it was loaded is told by the function which it has not got.
    #expect(
      unsafe symlink(systemLibrary() ?? "none", folder.path + "/vbgfilter/libopenvino_c.so.1") == 0)
    // A file that is looked at first, and is as it should be.
    _ = folder.write("vbgfilter/models/" + BlazeFace.file, [0, 0, 0, 0] + Array("TFL3".utf8))
    _ = unsafe chmod(folder.path + "/vbgfilter/models/" + BlazeFace.file, 0o644)
  }

  /// What `find-faces` says when a shell runs it as given, at the end of a command, on one frame.
  private func words(of command: String) throws -> String {
    let output = folder.path + "/output"
    let line = "cd \(folder.path)/work && { \(command) 16 16; } >\(output) 2>&1 <frame"
    // The status is that of a program without OpenVINO: a failure.
    #expect(unsafe system(line) != 0)
    let text = String(decoding: contents(output), as: UTF8.self)
    try #require(text.contains("find-faces: "), "\(text)")
    return text
  }

  private func program() throws -> String {
    let tests = try #require(ImageFile.realPath("/proc/self/exe"))
    let path = tests[..<(try #require(tests.lastIndex(of: "/")))] + "/find-faces"
    try #require(unsafe access(String(path), X_OK) == 0, "\(path) was not built")
    return String(path)
  }

  @Test func besideTheWorkingDirectoryOfAProgramThatWasStartedByItsName() throws {
    let path = try program()
    let bin = path[..<(try #require(path.lastIndex(of: "/")))]
    let text = try words(of: "env -u VBGFILTER_RUNTIME_DIR PATH=\(bin):$PATH find-faces")
    #expect(!text.contains(folder.path), "\(text)")
  }

  @Test func behindARelativePathOfTheVariable() throws {
    let text = try words(of: "env VBGFILTER_RUNTIME_DIR=../vbgfilter \(try program())")
    #expect(!text.contains("libopenvino_c.so.1"), "\(text)")
    #expect(
      text.contains("VBGFILTER_RUNTIME_DIR is set to ../vbgfilter, which is no absolute path"))
  }

  /// Where a program can be given the rights of somebody else.
  private static let canRaiseRights: Bool = {
    var information = statvfs()
    guard geteuid() == 0, unsafe statvfs("/tmp", &information) == 0 else { return false }
    return information.f_flag & UInt(ST_NOSUID) == 0
  }()

  @Test(.enabled(if: canRaiseRights))
  func ofAUserWhoRunsAProgramWithTheRightsOfAnother() throws {
    // By another process: a program that any process writes to cannot be run.
    let copy = folder.path + "/find-faces"
    func make(_ rights: String) throws -> String {
      "cp \(try program()) \(copy) && chown 65534 \(copy) && chmod \(rights) \(copy) && "
        + "env VBGFILTER_RUNTIME_DIR=\(folder.path)/vbgfilter \(copy)"
    }
    #expect(!(try words(of: make("4755")).contains("libopenvino_c.so.1")))
    // With the rights of who runs it, it takes that folder.
    #expect(try words(of: make("755")).contains("libopenvino_c.so.1"))
  }
}
