import PictureFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Opening and reading picture files, and the errors of refused files.
@Suite struct PictureFileTests {
  private let folder = TemporaryFolder()

  private func kind(_ path: String) -> PictureFileError.Kind? {
    do throws(PictureFileError) {
      _ = try PictureFile(path: path)
      return nil
    } catch {
      #expect(error.description.hasPrefix("'\(path)' "))
      return error.kind
    }
  }

  @Test func filesAreReadAtTheRequestedOffset() throws {
    let file = try PictureFile(path: folder.write("picture", 1...10))
    #expect(file.size == 10)
    #expect(file.read(at: 3, count: 2) == [4, 5])
    #expect(file.read(at: 8, count: 5) == [9, 10])
    #expect(file.read(at: 10, count: 1) == [])
    #expect(file.read(at: -1, count: 4) == [])
    #expect(file.read(at: 0, count: -4) == [])
  }

  @Test("refuses missing and empty files, folders, devices, pipes and loops of links")
  func refusesAnythingButFiles() {
    #expect(kind(folder.path + "/nothing") == .notFound)
    #expect(kind(folder.write("file", 1...2) + "/below") == .notFound)
    #expect(kind(folder.path) == .notAFile)
    #expect(kind("/dev/zero") == .notAFile)
    #expect(kind(folder.write("empty")) == .empty)
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(kind(pipe) == .notAFile)
    // A loop of symbolic links.
    #expect(unsafe symlink("round", folder.path + "/round") == 0)
    #expect(kind(folder.path + "/round") == .unreadable)
  }
}
