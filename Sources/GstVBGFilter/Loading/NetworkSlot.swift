import InferenceTypes
import OpenVINOInference
import Threads

/// The state of something that a frame needs.
enum Readiness<Ready, Failure: Error> {
  case ready(Ready)
  /// The stream is flushed or stops.
  case interrupted
  case missing(Failure)

  /// Converts the result of a finished request.
  init(_ result: Result<Ready, Failure>) {
    switch result {
    case .success(let ready): self = .ready(ready)
    case .failure(let error): self = .missing(error)
    }
  }
}

/// The network in use, the one that is being loaded, and the last one that failed.
///
/// A network that does not work leaves the one before it in place. Used on the streaming thread.
struct NetworkSlot {
  private let loader: NetworkLoader
  private var inUse: NetworkRequest?
  private var asked: NetworkRequest?
  private var refused: (source: NetworkRequest.Source, error: SegmentationError)?

  /// The result of `update`.
  struct Outcome {
    var readiness: Readiness<Void, SegmentationError>
    /// A network to use from now on.
    var delivery: LoadedNetwork?
    /// The reason why another network is used than the requested one.
    var warning: SegmentationError?
  }

  /// Uses no network yet.
  ///
  /// `loader` belongs to the slot.
  init(_ loader: NetworkLoader) {
    self.loader = loader
  }

  /// Ends all loading.
  ///
  /// A network that is being made is finished.
  func end() { loader.end() }

  /// Whether another network than the one in use is being loaded.
  var isLoading: Bool { asked != nil }

  /// Retries a refused network at its next request.
  mutating func forgetRefusal() {
    refused = nil
  }

  /// Notes that the network in use was dropped because the frames get another size.
  ///
  /// It is recreated even if the new frames never come and the old size returns. Its source stays
  /// known, because it is the fallback for a network that does not work.
  mutating func recordDroppedNetwork() {
    inUse?.frameWidth = 0
    inUse?.frameHeight = 0
  }

  /// Updates the slot for the `wanted` network.
  ///
  /// Waits for the loader if there is no network that fits the frames. Otherwise `accepts` decides
  /// whether a newly loaded network replaces it.
  mutating func update(
    wanted: NetworkRequest, accepts: (LoadedNetwork) -> Bool = { _ in true }
  ) -> Outcome {
    var outcome = Outcome(readiness: .ready(()))
    if refused?.source != wanted.source { refused = nil }
    while true {
      var request = wanted
      if let refused {
        guard let inUse else {
          outcome.readiness = .missing(refused.error)
          return outcome
        }
        request.source = inUse.source
        request.isMeasured = false
      }
      if request == inUse {
        withdraw()
        return outcome
      }
      switch fetch(request) {
      case .success(let network):
        if fits(request), !accepts(network) { return outcome }
        inUse = request
        // It is the same network whether it was measured or not.
        inUse?.isMeasured = false
        outcome.delivery = network
        return outcome
      case .failure(let error):
        // If the current network cannot be reloaded for the new size, it is not a fallback either.
        if inUse?.source == request.source, !fits(request) { inUse = nil }
        if inUse != nil { outcome.warning = error }
        refused = (wanted.source, error)
      case nil:
        if !fits(request) { outcome.readiness = .interrupted }
        return outcome
      }
    }
  }

  /// Whether the network in use fits the frames of a request.
  private func fits(_ request: NetworkRequest) -> Bool {
    guard let inUse else { return false }
    return inUse.frameWidth == request.frameWidth && inUse.frameHeight == request.frameHeight
  }

  private mutating func fetch(
    _ request: NetworkRequest
  ) -> Result<LoadedNetwork, SegmentationError>? {
    if asked != request {
      asked = request
      loader.request(request)
    }
    let answer = fits(request) ? loader.poll() : loader.wait()
    if answer != nil { asked = nil }
    return answer
  }

  private mutating func withdraw() {
    guard asked != nil else { return }
    asked = nil
    loader.withdraw()
  }
}

extension NetworkRequest {
  /// The network of a quality, or the one that the settings name.
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
}
