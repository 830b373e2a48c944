import Matting
import Threads

/// The properties of a model's files in one state, shared by all users of the model.
final class ModelSource: Sendable {
  let identity: ModelIdentity
  /// The files' checksum in hexadecimal, which names them in the cache, or nil without a cache.
  let cacheName: String?
  let family: ModelFamily
  /// The network that was read for recognition, until its first user takes it.
  private let unused: Monitor<Network?>

  private struct SourceKey: Hashable {
    var identity: ModelIdentity
    var cacheFolder: String?
  }

  private static let known = SharedObjects<SourceKey, ModelSource>()

  private init(
    _ identity: ModelIdentity, _ cacheName: String?, _ family: ModelFamily, _ network: Network?
  ) {
    self.identity = identity
    self.cacheName = cacheName
    self.family = family
    unused = Monitor(network)
  }

  /// Recognises a model from memory or the cache, or by reading it.
  static func recognise(
    _ parts: ModelParts, core: Core, cache: NetworkCache?, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) -> ModelSource {
    guard let identity = parts.identity else { throw parts.changeError }
    let key = SourceKey(identity: identity, cacheFolder: cache?.folder)
    return try known.object(for: key) { () throws(SegmentationError) in
      let name =
        cache == nil ? nil : String(try parts.checksum(isCancelled: isCancelled), radix: 16)
      let entry = identity.infoPath == nil ? name.map { "\($0).family" } : nil
      if let entry, let bytes = cache?.read(entry),
        let family = ModelFamily(text: String(decoding: bytes.array, as: UTF8.self))
      {
        try check(parts, is: identity)
        return ModelSource(identity, name, family, nil)
      }
      let info: ModelInfo? =
        if let path = identity.infoPath { try ModelInfo(contentsOf: path) } else { nil }
      let network = try core.read(parts, isCancelled: isCancelled)
      let (family, text) =
        if let info { (ModelFamily.picture(try info.describe(network)), "") } else {
          try ModelFamily.recognise(network)
        }
      try check(parts, is: identity)
      if let entry { cache?.write(entry, Array(text.utf8)) }
      return ModelSource(identity, name, family, network)
    }
  }

  /// Returns a network of this source, which only the caller uses and may change.
  func network(from parts: ModelParts, core: Core) throws(SegmentationError) -> Network {
    if let network = unused.withLock({ $0.take() }) { return network }
    let new = try core.read(parts)
    try Self.check(parts, is: identity)
    return new
  }

  /// Drops the network that was read, if any.
  func dropNetwork() { _ = unused.withLock { $0.take() } }

  private static func check(
    _ parts: ModelParts, is identity: ModelIdentity
  ) throws(SegmentationError) {
    if parts.identity != identity { throw parts.changeError }
  }
}

/// One segmenter's use of a compiled network.
final class NetworkUse {
  let network: CompiledNetwork
  // Keeps the source alive, so that other users need not read the model again.
  private let source: ModelSource

  init(of network: CompiledNetwork, from source: ModelSource) {
    self.network = network
    self.source = source
    network.countUsers(1)
  }

  deinit { network.countUsers(-1) }
}
