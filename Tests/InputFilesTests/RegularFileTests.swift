import InputFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Opening and reading files, and the errors of refused files.
@Suite struct RegularFileTests {
  private let folder = TemporaryFolder()

  private func error(_ path: String) -> FileError? {
    do throws(FileError) {
      _ = try RegularFile(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func filesAreReadAtTheRequestedOffset() throws {
    let file = try RegularFile(path: folder.write("file", 1...10))
    #expect(file.size == 10)
    #expect(try RegularFile.read(file.descriptor, at: 3, count: 2) == [4, 5])
    #expect(try RegularFile.read(file.descriptor, at: 8, count: 5) == [9, 10])
    #expect(try RegularFile.read(file.descriptor, at: 10, count: 1) == [])
    #expect(throws: FileError.unreadable(code: EBADF)) {
      try RegularFile.read(-1, at: 0, count: 1)
    }
  }

  @Test("refuses missing files, folders, devices, pipes and loops of links")
  func refusesAnythingButFiles() {
    #expect(error(folder.path + "/nothing") == .notFound)
    #expect(error(folder.write("file", 1...2) + "/below") == .notFound)
    #expect(error(folder.path) == .directory)
    #expect(error("/dev/zero") == .special)
    #expect(error(folder.write("empty")) == nil)
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(error(pipe) == .special)
    // A loop of symbolic links.
    #expect(unsafe symlink("round", folder.path + "/round") == 0)
    #expect(error(folder.path + "/round") == .unreadable(code: ELOOP))
  }
}
