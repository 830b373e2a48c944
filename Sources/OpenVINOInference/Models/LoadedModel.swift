import Matting

/// A recognised model.
///
/// Its network is read and compiled when it is needed. All segmenters of the process with the same
/// settings share one compiled network.
///
/// Safety: one thread at a time uses the object, as `SegmentationModel` requires.
final class LoadedModel: SegmentationModel, @unchecked Sendable {
  private let request: ModelRequest
  private var parts: ModelParts
  private let core: Core
  private let cache: NetworkCache?
  private var source: ModelSource
  /// A compiled network that the next segmenter will probably use.
  private(set) var prepared: CompiledNetwork?

  private static let compiled = SharedObjects<CompiledNetworkKey, CompiledNetwork>()

  init(
    _ request: ModelRequest, core: Core, cache: NetworkCache?, isCancelled: () -> Bool
  ) throws(SegmentationError) {
    self.request = request
    self.core = core
    self.cache = cache
    parts = try ModelParts(request.path, isCancelled: isCancelled)
    source = try ModelSource.recognise(parts, core: core, cache: cache, isCancelled: isCancelled)
    _ = try source.family.pictureNetwork?.channels(of: request.subjects, path: request.path)
    // OpenVINO's other devices manage their compiled networks themselves.
    if let cache, request.device != "CPU", CacheFolder.prepare(cache.folder) {
      core.keepCompiled(in: cache.folder)
    }
  }

  var path: String { request.path }

  var subjects: [String] { source.family.pictureNetwork?.subjects ?? [] }

  func prepare(frameWidth: Int, frameHeight: Int) {
    let loading = InferenceWorkers.shared.beginLoading()
    defer { InferenceWorkers.shared.endLoading(loading) }
    prepared = try? network(plan(frameWidth, frameHeight), mayRestore: true)
  }

  func makeSegmenter(frameWidth: Int, frameHeight: Int) throws(SegmentationError) -> any Segmenter {
    defer { prepared = nil }
    let loading = InferenceWorkers.shared.beginLoading()
    defer { InferenceWorkers.shared.endLoading(loading) }
    // If the file was deleted, the data in memory is still valid.
    if let identity = parts.identity, identity != source.identity {
      parts = try ModelParts(request.path)
      source = try ModelSource.recognise(parts, core: core, cache: cache)
    }
    let plan = try plan(frameWidth, frameHeight)
    let network = try network(plan, mayRestore: true)
    do {
      return try plan.makeSegmenter(NetworkUse(of: network, from: source))
    } catch {
      guard network.isRestored else { throw error }
      network.setBroken()
      return try plan.makeSegmenter(
        NetworkUse(of: self.network(plan, mayRestore: false), from: source))
    }
  }

  /// How a network is changed before it is compiled, and used afterwards.
  private struct Plan {
    /// The name of the changes.
    var variant: String
    var change: (Network) throws(SegmentationError) -> Void
    var makeSegmenter: (NetworkUse) throws(SegmentationError) -> any Segmenter
  }

  private func plan(_ frameWidth: Int, _ frameHeight: Int) throws(SegmentationError) -> Plan {
    let path = request.path
    switch source.family {
    case .recurrent(let channels):
      let shapes = RecurrentShapes(
        lines: request.lines, frameWidth: frameWidth, frameHeight: frameHeight, channels: channels)
      return Plan(variant: "\(shapes.width)x\(shapes.height)", change: shapes.apply) {
        (use) throws(SegmentationError) in
        try RecurrentSegmenter(use, path: path, shapes: shapes)
      }
    case .picture(let network):
      let kept = try network.channels(of: request.subjects, path: path)
      return Plan(variant: "\(network.inputShape)", change: network.apply) {
        (use) throws(SegmentationError) in
        try SinglePictureSegmenter(use, path: path, network: network, kept: kept)
      }
    }
  }

  /// Returns a network of this process or of the cache if possible, or else compiles one.
  private func network(
    _ plan: Plan, mayRestore: Bool
  ) throws(SegmentationError) -> CompiledNetwork {
    let parallelism = Parallelism(
      device: request.device, wanted: request.threads, modelSize: source.identity.size)
    let key = CompiledNetworkKey(
      identity: source.identity, device: request.device, parallelism: parallelism,
      precision: core.precision, variant: plan.variant, cacheFolder: cache?.folder)
    // Free the uncompiled network, which takes more memory than the compiled one.
    defer { source.dropNetwork() }
    return try Self.compiled.object(for: key, usable: { !$0.isBroken }) {
      () throws(SegmentationError) in
      let entry = entry(plan.variant, parallelism)
      if mayRestore, let entry, let bytes = cache?.read(entry) {
        let restored = try? core.restore(
          bytes, of: request.path, device: request.device, parallelism: parallelism)
        if let restored { return restored }
      }
      let network = try source.network(from: parts, core: core)
      try plan.change(network)
      let (compiled, isUsual) = try core.compile(
        network, device: request.device, parallelism: parallelism)
      if let entry, isUsual { cache?.write(entry) { compiled.export(to: $0) } }
      return compiled
    }
  }

  /// Returns the cache entry's name for a compiled network, or nil if it is not cached.
  ///
  /// The name depends on everything that affects the compiled network.
  private func entry(_ variant: String, _ parallelism: Parallelism) -> String? {
    guard request.device == "CPU", let name = source.cacheName else { return nil }
    let circumstances = [
      core.library.buildNumber, core.traits(of: request.device), "\(parallelism)", variant,
      core.precision ?? "",
    ].joined(separator: "\n")
    return "\(name)-\(String(Checksum.of(circumstances), radix: 16)).compiled"
  }
}
