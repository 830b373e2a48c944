import Glibc
import Testing

/// Libraries that another user put where the program might look for OpenVINO.
///
/// The tests run `find-faces`, which loads OpenVINO's library and names each file that it tried.
struct PlantedLibraryTests {
  /// Holds `work`, where the program is run, and `vbgfilter`, which looks like the runtime folder.
  private let folder = TestFolder()

  init() throws {
    // This library is not OpenVINO. If the program loads it, the error names it and a missing
    // function.
    let library = try #require(
      ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib"]
        .map { $0 + "/libm.so.6" }.first { unsafe access($0, R_OK) == 0 })
    // The program first checks the network's file. This file passes the check.
    let status = unsafe system(
      """
      cd \(folder.path) && umask 022 && chmod 755 . && mkdir work vbgfilter vbgfilter/models &&
      head -c 384 /dev/zero >work/frame && ln -s \(library) vbgfilter/libopenvino_c.so.1 &&
      printf '\\0\\0\\0\\0TFL3' >vbgfilter/models/face_detection_short_range.tflite
      """)
    try #require(status == 0)
  }

  /// Returns the output of a shell command, which gets the size of a frame as arguments and the
  /// frame as standard input.
  private func output(of command: String) throws -> String {
    let line = "cd \(folder.path)/work && { \(command) 16 16; } 2>&1 <frame"
    let stream = unsafe try #require(popen(line, "r"))
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
    // Without OpenVINO the program fails.
    #expect(unsafe pclose(stream) != 0)
    let text = String(decoding: bytes, as: UTF8.self)
    try #require(text.contains("find-faces: "), "\(text)")
    return text
  }

  /// Returns the folder of the tests' program, which contains `find-faces` too.
  private func programFolder() throws -> String {
    let path = unsafe try #require(realpath("/proc/self/exe", nil))
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    return String(text[..<(try #require(text.lastIndex(of: "/")))])
  }

  private func program() throws -> String {
    let path = try programFolder() + "/find-faces"
    try #require(unsafe access(path, X_OK) == 0, "\(path) was not built")
    return path
  }

  @Test func ignoresTheWorkingDirectoryOfAProgramFoundInPATH() throws {
    let bin = try programFolder()
    let text = try output(of: "env -u VBGFILTER_RUNTIME_DIR PATH=\(bin):$PATH find-faces")
    #expect(!text.contains(folder.path), "\(text)")
  }

  @Test func ignoresARelativePathInTheVariable() throws {
    let text = try output(of: "env VBGFILTER_RUNTIME_DIR=../vbgfilter \(try program())")
    #expect(!text.contains("libopenvino_c.so.1"), "\(text)")
    #expect(
      text.contains("VBGFILTER_RUNTIME_DIR is set to ../vbgfilter, which is not an absolute path"))
  }

  /// Whether a program can be given another user's rights here.
  private static let canRaiseRights: Bool = {
    var information = statvfs()
    guard geteuid() == 0, unsafe statvfs("/tmp", &information) == 0 else { return false }
    return information.f_flag & UInt(ST_NOSUID) == 0
  }()

  @Test(
    "ignores the folder of VBGFILTER_RUNTIME_DIR in a setuid program",
    .enabled(if: canRaiseRights))
  func ignoresVariableIfSetuid() throws {
    // `cp` makes the copy. If this process wrote it, a child process of another test could still
    // have it open, and Linux does not run a file that is open for writing.
    let copy = folder.path + "/find-faces"
    func command(_ rights: String) throws -> String {
      "cp \(try program()) \(copy) && chown 65534 \(copy) && chmod \(rights) \(copy) && "
        + "env VBGFILTER_RUNTIME_DIR=\(folder.path)/vbgfilter \(copy)"
    }
    #expect(!(try output(of: command("4755")).contains("libopenvino_c.so.1")))
    // A program without raised rights uses that folder.
    #expect(try output(of: command("755")).contains("libopenvino_c.so.1"))
  }
}
