import VirtualBackground

/// A model that was recognised; the network behind it is read and compiled when it is needed, and
/// once for all segmenters of the process that can share it.
///
/// Safety: used by one thread at a time, as the protocol demands.
final class LoadedModel: SegmentationModel, @unchecked Sendable {
  private let request: ModelRequest
  private let file: ModelFile
  private let core: Core
  private let cache: NetworkCache?
  private var source: ModelSource
  /// A compiled network that the next segmenter will probably want.
  private(set) var prepared: CompiledNetwork?

  /// What two segmenters have in common when one compiled network serves both.
  private struct Key: Hashable {
    var identity: ModelIdentity
    var device: String
    var parallelism: Parallelism
    /// Of the picture, where the network takes any size.
    var size: RecurrentSize?
    var cacheFolder: String?
  }

  private static let compiled = SharedObjects<Key, CompiledNetwork>()

  init(
    _ request: ModelRequest, core: Core, cache: NetworkCache?
  ) throws(SegmentationError) {
    self.request = request
    self.core = core
    self.cache = cache
    file = try ModelFile(request.path)
    source = try ModelSource.recognise(file, core: core, cache: cache)
    // OpenVINO's other devices know best what to keep of a compiled network.
    if let cache, request.device != "CPU", CacheFolder.prepare(cache.folder) {
      core.keepCompiled(in: cache.folder)
    }
  }

  var path: String { request.path }

  func prepare(frameWidth: Int, frameHeight: Int) {
    switch source.family {
    case .singlePicture: prepared = try? network(nil, mayRestore: true)
    case .recurrent(let channels):
      prepared = try? network(shapes(channels, frameWidth, frameHeight), mayRestore: true)
    }
  }

  private func shapes(
    _ channels: [Int], _ frameWidth: Int, _ frameHeight: Int
  ) -> RecurrentShapes {
    RecurrentShapes(
      size: RecurrentSize(
        lines: request.lines, frameWidth: frameWidth, frameHeight: frameHeight),
      channels: channels)
  }

  func makeSegmenter(
    frameWidth: Int, frameHeight: Int
  ) throws(SegmentationError) -> any Segmenter {
    defer { prepared = nil }
    // A file that is gone is still good for what was made of it before.
    if let identity = ModelIdentity(path: file.path), identity != source.identity {
      source = try ModelSource.recognise(
        ModelFile(request.path), core: core, cache: cache)
    }
    switch source.family {
    case .singlePicture(let format):
      return try withNetwork(nil) { (use) throws(SegmentationError) in
        try SinglePictureSegmenter(use, path: request.path, format: format)
      }
    case .recurrent(let channels):
      let shapes = shapes(channels, frameWidth, frameHeight)
      return try withNetwork(shapes) { (use) throws(SegmentationError) in
        try RecurrentSegmenter(use, path: request.path, shapes: shapes)
      }
    }
  }

  /// Makes a segmenter of a compiled network; of a new one when one from the cache fails.
  private func withNetwork(
    _ shapes: RecurrentShapes?, make: (NetworkUse) throws(SegmentationError) -> any Segmenter
  ) throws(SegmentationError) -> any Segmenter {
    let network = try network(shapes, mayRestore: true)
    do {
      return try make(NetworkUse(of: network, from: source))
    } catch {
      guard network.isRestored else { throw error }
      network.setBroken()
      return try make(NetworkUse(of: self.network(shapes, mayRestore: false), from: source))
    }
  }

  private func network(
    _ shapes: RecurrentShapes?, mayRestore: Bool
  ) throws(SegmentationError) -> CompiledNetwork {
    let parallelism = Parallelism(
      device: request.device, wanted: request.threads, modelSize: source.identity.size)
    let key = Key(
      identity: source.identity, device: request.device, parallelism: parallelism,
      size: shapes?.size, cacheFolder: cache?.folder)
    // A network as it was read takes more memory than one that is ready.
    defer { source.dropNetwork() }
    return try Self.compiled.object(for: key, usable: { !$0.isBroken }) {
      () throws(SegmentationError) in
      let entry = entry(shapes?.size, parallelism)
      if mayRestore, let entry, let bytes = cache?.read(entry) {
        let restored = try? core.restore(
          bytes, of: request.path, device: request.device, parallelism: parallelism)
        if let restored { return restored }
      }
      let network = try source.network(from: file, core: core)
      try shapes?.apply(to: network)
      let compiled = try core.compile(
        network, device: request.device, parallelism: parallelism)
      if let entry { cache?.write(entry) { compiled.export(to: $0) } }
      return compiled
    }
  }

  /// The cache's name for a compiled network: by everything that it depends on.
  private func entry(_ size: RecurrentSize?, _ parallelism: Parallelism) -> String? {
    guard request.device == "CPU", let hash = source.hash else { return nil }
    let circumstances = [
      core.library.buildNumber, core.traits(of: request.device), "\(parallelism)",
      size.map { "\($0.width)x\($0.height)" } ?? "",
    ].joined(separator: "\n")
    return "\(String(hash, radix: 16))-\(String(XXHash64.hash(circumstances), radix: 16)).compiled"
  }
}
