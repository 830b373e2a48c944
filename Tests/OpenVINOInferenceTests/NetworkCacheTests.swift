import Glibc
import TestSupport
import Testing

@testable import OpenVINOInference

struct NetworkCacheTests {
  private let folder = TemporaryFolder()
  private let content: [UInt8] = (0..<100).map { UInt8($0) }

  private var cache: NetworkCache { NetworkCache(folder: folder.path) }

  private func names() -> [String] {
    TemporaryFolder.entries(of: folder.path).sorted()
  }

  @Test func returnsStoredContent() {
    #expect(cache.read("a") == nil)
    for bytes in [content, [], [7]] {
      cache.write("a", bytes)
      #expect(cache.read("a")?.array == bytes)
    }
    #expect(names() == ["a"])
  }

  @Test func aFailedWriteLeavesNothing() {
    cache.write("a", content)
    cache.write("a") { path in
      #expect(unsafe access(path, F_OK) == 0)
      return false
    }
    #expect(cache.read("a")?.array == content)
    #expect(names() == ["a"])
  }

  @Test("deletes an entry with changed, missing or additional bytes")
  func deletesAlteredEntry() {
    cache.write("a", content)
    let stored = TestFile.bytes(folder.path + "/a")
    var broken = (0..<stored.count).map { Array(stored.prefix($0)) } + [stored + [0]]
    for index in stored.indices {
      var bytes = stored
      bytes[index] ^= 0x10
      broken.append(bytes)
    }
    for bytes in broken {
      folder.write("a", bytes)
      #expect(cache.read("a") == nil)
      #expect(names().isEmpty)
    }
    // The checksum is correct, but for another name.
    folder.write("b", stored)
    #expect(cache.read("b") == nil)
    folder.write("a", stored)
    #expect(cache.read("a")?.array == content)
  }

  @Test func readsNoLinksPipesOrFolders() {
    cache.write("a", content)
    #expect(unsafe symlink("a", folder.path + "/link") == 0)
    #expect(unsafe mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(unsafe mkdir(folder.path + "/folder", 0o700) == 0)
    for name in ["link", "pipe", "folder"] { #expect(cache.read(name) == nil) }
    cache.write("folder", content)
    #expect(names() == ["a", "folder", "link", "pipe"])
  }

  @Test func foldersAreMadeForTheUserAlone() {
    let below = NetworkCache(folder: folder.path + "/b")
    let mask = umask(0)
    below.write("a", content)
    umask(mask)
    var information = stat()
    #expect(unsafe stat(folder.path + "/b", &information) == 0)
    #expect(information.st_mode & 0o777 == 0o700)
    #expect(unsafe stat(folder.path + "/b/a", &information) == 0)
    #expect(information.st_mode & 0o777 == 0o600)
  }

  @Test func anUnusableFolderIsNotChanged() {
    let file = folder.write("file", [1])
    for path in [file, file + "/below", "/proc/none/such"] {
      let cache = NetworkCache(folder: path)
      cache.write("a", content)
      #expect(cache.read("a") == nil)
    }
    #expect(unsafe chmod(folder.path, 0o777) == 0)
    cache.write("a", content)
    #expect(names() == ["file"])
    #expect(unsafe chmod(folder.path, 0o700) == 0)
  }

  /// The cache writes into the folder that it checked, even if the path refers to another one now.
  @Test func aFolderThatReplacesTheOpenOneIsNotWrittenTo() {
    let path = folder.path + "/cache"
    let cache = NetworkCache(folder: path)
    cache.write("old", content)
    cache.write("a") { file in
      #expect(unsafe rename(path, folder.path + "/first") == 0)
      #expect(unsafe mkdir(path, 0o700) == 0)
      let descriptor = unsafe open(file, O_WRONLY | O_CLOEXEC)
      defer { close(descriptor) }
      return unsafe Glibc.write(descriptor, content, content.count) == content.count
    }
    #expect(TemporaryFolder.entries(of: path).isEmpty)
    #expect(TemporaryFolder.entries(of: folder.path + "/first").sorted() == ["a", "old"])
    #expect(NetworkCache(folder: folder.path + "/first").read("a")?.array == content)
  }

  @Test("reads nothing from a folder that other users can write to")
  func ignoresFolderOthersCanWriteTo() {
    cache.write("a", content)
    #expect(unsafe chmod(folder.path, 0o777) == 0)
    #expect(cache.read("a") == nil)
    #expect(unsafe chmod(folder.path, 0o700) == 0)
    #expect(cache.read("a")?.array == content)
  }

  @Test func theLeastRecentlyUsedFilesAreRemovedFirst() {
    var cache = cache
    cache.limit = 300
    for (age, name) in ["a", "b", "c"].enumerated() {
      cache.write(name, content)
      setAge(of: name, seconds: 100 - age)
    }
    #expect(names() == ["b", "c"])
    // Reading an entry makes it recent.
    #expect(cache.read("b")?.array == content)
    cache.write("d", content)
    #expect(names() == ["b", "d"])
    // Larger than the limit of the whole cache.
    cache.write("e", [UInt8](repeating: 0, count: 301))
    #expect(names() == ["b", "d"])
  }

  @Test func leftoversAreRemovedAfterAnHour() {
    folder.write(".new-1", [1])
    folder.write(".new-2", [1])
    setAge(of: ".new-1", seconds: 4000)
    cache.write("a", content)
    #expect(names() == [".new-2", "a"])
  }

  private func setAge(of name: String, seconds: Int) {
    let past = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
    #expect(unsafe utimensat(AT_FDCWD, folder.path + "/" + name, [past, past], 0) == 0)
  }

  @Test(arguments: [
    (["HOME": "/"], "//.cache/vbgfilter"),
    (["HOME": "/tmp"], "/tmp/.cache/vbgfilter"),
    (["HOME": "/no/such/home"], nil),
    (["HOME": "tmp"], nil),
    ([:], nil),
    (["HOME": "/tmp", "XDG_CACHE_HOME": "/a"], "/a/vbgfilter"),
    (["HOME": "/tmp", "XDG_CACHE_HOME": "a"], "/tmp/.cache/vbgfilter"),
    (["HOME": "/tmp", "XDG_CACHE_HOME": ""], "/tmp/.cache/vbgfilter"),
    (["XDG_CACHE_HOME": "/a", "VBGFILTER_CACHE": "0"], nil),
    (["XDG_CACHE_HOME": "/a", "VBGFILTER_CACHE": "no"], nil),
    (["XDG_CACHE_HOME": "/a", "VBGFILTER_CACHE": "1"], "/a/vbgfilter"),
    (["XDG_CACHE_HOME": "/a", "VBGFILTER_CACHE": ""], "/a/vbgfilter"),
    (["HOME": "/tmp", "VBGFILTER_CACHE": "/b"], "/b"),
  ])
  func theEnvironmentSelectsTheFolder(environment: [String: String], folder: String?) {
    #expect(CacheFolder.path { environment[$0] } == folder)
  }
}
