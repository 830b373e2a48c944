import Glibc
import Matting
import TestSupport
import Testing

@testable import OpenVINOInference

/// Models that are loaded with a cache.
struct CachedModelTests {
  private let folder = TemporaryFolder()

  private func segmenter(_ name: String, device: String = "CPU") throws -> any Segmenter {
    try makeSegmenter(request(fixture(name), lines: 48, device: device), cache: folder.path)
  }

  private func isRestored(_ segmenter: any Segmenter) -> Bool? {
    network(of: segmenter)?.isRestored
  }

  /// Returns the cached files, relative to the cache folder.
  private func files() -> [String] {
    TemporaryFolder.entries(of: folder.path).flatMap { version in
      TemporaryFolder.entries(of: folder.path + "/" + version).map { version + "/" + $0 }
    }.sorted()
  }

  /// Returns the first mattes of a new segmenter that shares its network with no other.
  private func mattes(_ name: String, restored: Bool) throws -> [[Float]] {
    let segmenter = try segmenter(name)
    #expect(isRestored(segmenter) == restored)
    return try (0..<3).map { count in
      try segmenter.matte { x, y in [Float((x + y + count) % 64) / 64, 0.5, 0.25] }
    }
  }

  @Test(arguments: [
    "red.onnx", "red.xml", "red_planar.onnx", "recurrent.onnx", "salient.onnx", "pascal.onnx",
  ])
  func theSecondStartRestores(name: String) throws {
    let first = try mattes(name, restored: false)
    let kept = files()
    #expect(kept.count == 2, "\(kept)")
    #expect(kept.allSatisfy { $0.hasPrefix("openvino-20") }, "\(kept)")
    #expect(try mattes(name, restored: true) == first)
    #expect(files() == kept)
  }

  @Test(arguments: ["red.onnx", "recurrent.onnx"])
  func garbageIsReplaced(name: String) throws {
    let first = try mattes(name, restored: false)
    let kept = files()
    let version = kept.first?.prefix { $0 != "/" } ?? ""
    let cache = NetworkCache(folder: folder.path + "/" + version)
    for file in kept {
      let entry = String(file.dropFirst(version.count + 1))
      let right = cache.read(entry)?.array ?? []
      #expect(!right.isEmpty)
      var flipped = TestFile.bytes(folder.path + "/" + file)
      flipped[flipped.count / 2] ^= 1
      let isCompiled = file.hasSuffix(".compiled")
      for garbage in [[], Array("garbage".utf8), Array(flipped.dropLast()), flipped] {
        #expect(!folder.write(file, garbage).isEmpty)
        #expect(try mattes(name, restored: !isCompiled) == first)
        #expect(try mattes(name, restored: true) == first)
      }
      // The checksum is valid, but the content is garbage.
      for garbage in [[], Array("garbage".utf8), Array(right.dropLast(right.count / 2))] {
        cache.write(entry, garbage)
        #expect(try mattes(name, restored: !isCompiled) == first)
        #expect(try mattes(name, restored: true) == first)
      }
    }
  }

  /// Another model's compiled network is stored under the name of this model: its tensors do not
  /// fit.
  @Test func theNetworkOfAnotherModelIsNotUsed() throws {
    let expected = try mattes("red.onnx", restored: false)
    let entry = files().first { $0.hasSuffix(".compiled") } ?? ""
    let version = String(entry.prefix { $0 != "/" })
    _ = try mattes("recurrent.onnx", restored: false)
    let stranger = files().first { $0.hasSuffix(".compiled") && $0 != entry } ?? ""
    let cache = NetworkCache(folder: folder.path + "/" + version)
    let bytes = cache.read(String(stranger.dropFirst(version.count + 1)))?.array ?? []
    #expect(!bytes.isEmpty)
    cache.write(String(entry.dropFirst(version.count + 1)), bytes)
    #expect(try mattes("red.onnx", restored: false) == expected)
    #expect(try mattes("red.onnx", restored: true) == expected)
  }

  @Test func aChangedFileHasItsOwnEntry() throws {
    let models = TemporaryFolder()
    let path = models.write("model.onnx", TestFile.bytes(fixture("red.onnx")))
    let loader = OpenVINOModelLoader(cacheFolder: folder.path)
    func first() throws -> Bool? {
      isRestored(try loader.load(request(path)).makeSegmenter(frameWidth: 64, frameHeight: 64))
    }
    #expect(try first() == false)
    models.write("model.onnx", TestFile.bytes(fixture("red_planar.onnx")))
    #expect(try first() == false)
    models.write("model.onnx", TestFile.bytes(fixture("red.onnx")))
    #expect(try first() == true)
  }

  @Test func anUnusableFolderIsIgnored() throws {
    let file = folder.write("file", [1])
    for path in [file, file + "/below", "/proc/none/such"] {
      let segmenter = try makeSegmenter(request(fixture("red.onnx")), cache: path)
      #expect(isRestored(segmenter) == false)
      #expect(try segmenter.matte(ofGrey: 0.5).first == 0.5)
    }
  }

  @Test(arguments: ["AUTO:CPU", "HETERO:CPU"])
  func otherDevicesDoNotUseThisCache(device: String) throws {
    for _ in 0..<2 {
      let segmenter = try segmenter("red.onnx", device: device)
      #expect(try segmenter.matte(ofGrey: 0.5).first == 0.5)
      #expect(isRestored(segmenter) == false)
    }
  }

  /// Runs in another process because it changes the environment.
  @Test("caches networks of each precision separately, and uses the requested precision")
  func precisionIsPartOfTheKey() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let path = fixture("recurrent.onnx")
      func segmenter() throws -> any Segmenter {
        try makeSegmenter(request(path, lines: 48), cache: folder.path)
      }
      func network() throws -> CompiledNetwork? {
        (try segmenter() as? RecurrentSegmenter)?.use.network
      }
      let standard = try network()
      unsafe setenv("VBGFILTER_PRECISION", "f32", 1)
      guard let float32 = try network(), float32 !== standard else { exit(1) }
      guard !float32.isRestored else { exit(3) }
      guard OpenVINOModelLoader.precision(of: try segmenter()) == "f32" else { exit(2) }
      // Unknown precisions are ignored.
      unsafe setenv("VBGFILTER_PRECISION", "f99", 1)
      guard try network() === standard else { exit(4) }
      TemporaryFolder.remove(folder.path)
      exit(0)
    }
  }

  @Test func theEnvironmentSwitchesTheCache() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      func load() throws {
        _ = try OpenVINOModelLoader().load(request(fixture("red.onnx")))
          .makeSegmenter(frameWidth: 64, frameHeight: 64)
      }
      unsafe setenv("XDG_CACHE_HOME", folder.path, 1)
      unsafe setenv("VBGFILTER_CACHE", "0", 1)
      try load()
      guard TemporaryFolder.entries(of: folder.path).isEmpty else { exit(1) }
      unsafe setenv("VBGFILTER_CACHE", folder.path + "/here", 1)
      try load()
      guard TemporaryFolder.entries(of: folder.path) == ["here"] else { exit(2) }
      unsafe unsetenv("VBGFILTER_CACHE")
      try load()
      let names = TemporaryFolder.entries(of: folder.path)
      TemporaryFolder.remove(folder.path)
      exit(Set(names) == ["here", "vbgfilter"] ? 0 : 3)
    }
  }
}
