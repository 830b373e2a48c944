import Glibc
import Matting
import Synchronization
import TestSupport
import Testing
import Threads

@testable import OpenVINOInference

/// Compiled networks that the segmenters of one process share.
struct SharingTests {
  private let folder = TemporaryFolder()
  private let loader = OpenVINOModelLoader(cacheFolder: nil)

  /// Returns the path of a model that no other test shares.
  private func model(_ name: String) -> String {
    folder.copy(name)
  }

  private func segmenter(
    _ path: String, threads: Int = 1, width: Int = 64, height: Int = 64
  ) throws -> any Segmenter {
    try loader.load(request(path, lines: 48, threads: threads))
      .makeSegmenter(frameWidth: width, frameHeight: height)
  }

  @Test(
    "shares one compiled network per file, also through a link",
    arguments: ["red.onnx", "recurrent.onnx"])
  func sharesCompiledNetwork(name: String) throws {
    let path = model(name)
    let first = try segmenter(path)
    let second = try segmenter(path)
    let link = folder.path + "/link.onnx"
    #expect(unsafe symlink(path, link) == 0)
    let third = try segmenter(link)
    #expect(network(of: first) != nil)
    #expect(network(of: first) === network(of: second))
    #expect(network(of: first) === network(of: third))
    #expect(network(of: try segmenter(path, threads: 2)) !== network(of: first))
    #expect(unsafe unlink(link) == 0)
  }

  @Test func eachSizeHasItsOwnNetwork() throws {
    let path = model("recurrent.onnx")
    let first = try segmenter(path)
    let wide = try segmenter(path, width: 128)
    #expect(network(of: first) !== network(of: wide))
    #expect(network(of: wide) === network(of: try segmenter(path, width: 1280, height: 640)))
  }

  @Test(
    "uses a network that was prepared", arguments: [("red.onnx", 480), ("recurrent.onnx", 640)])
  func usesPreparedNetwork(name: String, width: Int) throws {
    let model = try loader.load(request(self.model(name), lines: 64)) as? LoadedModel
    model?.prepare(frameWidth: 1280, frameHeight: 720)
    weak let prepared = model?.prepared
    #expect(prepared != nil)
    let segmenter = try model?.makeSegmenter(frameWidth: width, frameHeight: 360)
    #expect(network(of: segmenter) === prepared)
    #expect(model?.prepared == nil)
    #expect(prepared?.isShared == false)
  }

  @Test("drops a network that was prepared for frames of another shape")
  func dropsNetworkPreparedForOtherFrames() throws {
    let model = try loader.load(request(self.model("recurrent.onnx"), lines: 64)) as? LoadedModel
    model?.prepare(frameWidth: 1280, frameHeight: 720)
    weak let prepared = model?.prepared
    let segmenter = try model?.makeSegmenter(frameWidth: 360, frameHeight: 640)
    #expect(network(of: segmenter) != nil)
    #expect(prepared == nil)
  }

  @Test func theLastSegmenterFreesTheNetwork() throws {
    let path = model("red.onnx")
    var first: (any Segmenter)? = try segmenter(path)
    var second: (any Segmenter)? = try segmenter(path)
    weak let kept = network(of: first)
    #expect(kept?.isShared == true)
    first = nil
    #expect(kept?.isShared == false)
    #expect(try second?.matte(ofGrey: 0.5).allSatisfy { $0 == 0.5 } == true)
    second = nil
    #expect(kept == nil)
  }

  @Test func aChangedFileIsLoadedAgain() throws {
    let path = model("recurrent.onnx")
    let loaded = try loader.load(request(path, lines: 48))
    let old = try loaded.makeSegmenter(frameWidth: 64, frameHeight: 64)
    // The size, the modification time and the inode stay the same. Only the change time differs.
    var before = stat()
    #expect(unsafe stat(path, &before) == 0)
    var bytes = TestFile.bytes(path)
    let name = Array("pha".utf8)
    let places = bytes.indices.dropLast(3).filter { bytes[$0..<$0 + 3].elementsEqual(name) }
    for place in places { bytes.replaceSubrange(place..<place + 3, with: Array("alp".utf8)) }
    #expect(!places.isEmpty && folder.write("recurrent.onnx", bytes) == path)
    let times = [before.st_atim, before.st_mtim]
    #expect(unsafe utimensat(AT_FDCWD, path, times, 0) == 0)
    // The output name no longer matches Robust Video Matting.
    #expect(
      errorOf { () throws(SegmentationError) in try loader.load(request(path, lines: 48)) }?.kind
        == .modelUnknown)
    #expect(
      errorOf { () throws(SegmentationError) in
        try loaded.makeSegmenter(frameWidth: 64, frameHeight: 64)
      }?.kind == .modelUnknown)
    #expect(try old.matte(ofGrey: 0.5).first == 0.25)

    #expect(folder.copy("recurrent.onnx") == path)
    let new = try loaded.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(network(of: new) !== network(of: old))
    #expect(try new.matte(ofGrey: 0.5).first == 0.25)
  }

  @Test func aLoadedModelOutlivesItsDeletedFile() throws {
    let path = model("recurrent.onnx")
    let loaded = try loader.load(request(path, lines: 48))
    let first = try loaded.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(unsafe unlink(path) == 0)
    let second = try loaded.makeSegmenter(frameWidth: 64, frameHeight: 64)
    #expect(network(of: first) === network(of: second))
    let error = errorOf { () throws(SegmentationError) in
      try loaded.makeSegmenter(frameWidth: 128, frameHeight: 64)
    }
    #expect(error?.kind == .modelNotFound)
  }

  @Test func aBrokenNetworkGetsNoNewUsers() throws {
    let path = model("fails_on_white.onnx")
    let broken = try segmenter(path)
    let error = errorOf { () throws(SegmentationError) in try broken.matte(ofGrey: 1) }
    #expect(error?.kind == .inferenceFailed)
    let whole = try segmenter(path)
    #expect(network(of: whole) !== network(of: broken))
    #expect(try whole.matte(ofGrey: 0.25).first == 0.25)
    #expect(network(of: whole) === network(of: try segmenter(path)))
  }

  @Test func manySegmentersRunAtOnce() throws {
    let path = model("recurrent.onnx")
    let segmenters = try (0..<8).map { _ in SentSegmenter(try segmenter(path)) }
    let right = Atomic<Int>(0)
    inThreads(segmenters.count) { index in
      let grey = Float(index) / 8
      for count in 0..<20 {
        let matte = try? segmenters[index].segmenter.matte(ofGrey: grey)
        if matte?.first == grey / 2 + Float(count) * 15 / 128 { right.add(1, ordering: .relaxed) }
      }
    }
    #expect(right.load(ordering: .relaxed) == 8 * 20)
  }

  @Test func twoSimultaneousStartsCompileOnce() throws {
    let path = model("recurrent.onnx")
    let made = Monitor<[SentSegmenter]>([])
    inThreads(4) { _ in
      guard let new = try? segmenter(path) else { return }
      made.withLock { $0.append(SentSegmenter(new)) }
    }
    let segmenters = made.current.map(\.segmenter)
    #expect(segmenters.count == 4)
    #expect(Set(segmenters.compactMap { network(of: $0).map(ObjectIdentifier.init) }).count == 1)
  }
}

/// Safety: the tests use it on only one thread at a time.
private struct SentSegmenter: @unchecked Sendable {
  let segmenter: any Segmenter
  init(_ segmenter: any Segmenter) { self.segmenter = segmenter }
}
