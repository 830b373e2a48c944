import Matting
import OpenVINOInference
import Threads

/// Manages the network in use, the network that is being loaded, and the last one that failed.
///
/// If a network cannot be loaded, the previous network stays in use. Used only on the streaming
/// thread.
struct NetworkSlot {
  private let loader: NetworkLoader
  /// The request for the network in use.
  private var inUse: NetworkRequest?
  private var network: LoadedNetwork?
  /// The network that was in use before, or was not accepted, until the next frame.
  private var replaced: LoadedNetwork?
  /// The source and the error of the requested network, if it could not be loaded.
  private var refused: (source: NetworkRequest.Source, error: SegmentationError)?

  /// The result of `update`.
  struct Outcome {
    /// Whether there is a network to use for the frame, or nil if the wait for it was interrupted.
    var readiness: Result<Void, SegmentationError>? = .success(())
    /// A new network to use from now on, or nil if the network does not change.
    var delivery: LoadedNetwork?
    /// The reason why the requested network is not used, or nil if it is used or being loaded.
    var warning: SegmentationError?
  }

  /// Creates a slot without a network.
  ///
  /// The slot must be the only user of `loader`.
  init(_ loader: NetworkLoader) {
    self.loader = loader
  }

  /// Ends loading.
  ///
  /// A network that is being created is completed first.
  func end() { loader.end() }

  /// Whether a network is being loaded.
  var isLoading: Bool { loader.isLoading }

  /// Forgets that a network could not be loaded, so that its next request loads it again.
  mutating func forgetRefusal() {
    refused = nil
  }

  /// Records that the network in use was dropped because the frame size changes.
  ///
  /// The network is then loaded again, even if the frames return to the old size. Its source is
  /// kept as the fallback if another network cannot be loaded.
  mutating func recordDroppedNetwork() {
    inUse?.frameWidth = 0
    inUse?.frameHeight = 0
    // Free the memory before the next network is loaded.
    (network, replaced) = (nil, nil)
  }

  /// Requests the `wanted` network, and returns the result for the current frame.
  ///
  /// Waits for the loader if the network in use does not fit the frames. Otherwise the network in
  /// use stays until the loader has finished, and `accepts` decides whether the new network
  /// replaces it.
  mutating func update(
    wanted: NetworkRequest, accepts: (LoadedNetwork) -> Bool = { _ in true }
  ) -> Outcome {
    var outcome = Outcome()
    if replaced != nil { loader.release(&replaced) }
    if refused?.source != wanted.source { refused = nil }
    while true {
      var request = wanted
      if let refused {
        guard let inUse else {
          outcome.readiness = .failure(refused.error)
          return outcome
        }
        request.source = inUse.source
        request.isMeasured = false
      }
      if request == inUse {
        loader.withdraw()
        return outcome
      }
      switch loader.fetch(request, waits: !fits(request)) {
      case .success(let network):
        if fits(request), !accepts(network) {
          replaced = network
          return outcome
        }
        (replaced, self.network) = (self.network, network)
        inUse = request
        // Measured or not, it is the same network, so that later requests compare equal.
        inUse?.isMeasured = false
        outcome.delivery = network
        return outcome
      case .failure(let error):
        // The network in use cannot be loaded for the new size, so it cannot be the fallback.
        if inUse?.source == request.source, !fits(request) { inUse = nil }
        if inUse != nil { outcome.warning = error }
        refused = (wanted.source, error)
      case nil:
        if !fits(request) { outcome.readiness = nil }
        return outcome
      }
    }
  }

  /// Returns whether the network in use fits the frames of a request.
  private func fits(_ request: NetworkRequest) -> Bool {
    guard let inUse else { return false }
    return inUse.frameWidth == request.frameWidth && inUse.frameHeight == request.frameHeight
  }
}

extension NetworkRequest {
  /// Requests the model file that the settings name, otherwise the network of a quality.
  init(
    _ settings: Settings, quality: Quality, device: String, threads: Int, frameWidth: Int,
    frameHeight: Int, isMeasured: Bool = false
  ) {
    var source = Source.ladder(quality, subjects: settings.subjects)
    if let path = settings.model {
      source = .file(
        path, lines: QualityLadder.lines(for: quality), subjects: settings.subjects)
    }
    self.init(
      source, device: device, threads: threads, frameWidth: frameWidth, frameHeight: frameHeight,
      isMeasured: isMeasured)
  }

  /// Requests the network that a stream with these settings will probably need.
  ///
  /// Assumes 1280x720, the frame size of most cameras. The real size is known only when caps
  /// arrive. It has little effect on the network, which is then updated. If the element chooses the
  /// quality, assumes a live source, which begins with the cheapest of the installed qualities.
  init(expectedWith settings: Settings, _ installed: [Quality]) {
    let quality = settings.choosesQuality ? installed.first : nil
    self.init(
      settings, quality: quality ?? settings.quality.quality, device: settings.device,
      threads: settings.threads, frameWidth: 1280, frameHeight: 720)
  }
}
