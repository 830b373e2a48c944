import InferenceTypes
import OpenVINOInference
import Threads

/// Whether a frame can be worked on.
enum Readiness<Ready, Failure: Error> {
  case ready(Ready)
  /// The stream is flushed or stops.
  case interrupted
  case missing(Failure)
}

/// Which network is in use, which one is being loaded, and which one turned out not to work.
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
    /// Why the network that was asked for is not used while another one is.
    var warning: SegmentationError?
  }

  /// Uses no network yet; `loader` is the slot's own.
  init(_ loader: NetworkLoader) {
    self.loader = loader
  }

  /// Ends all loading; a network that is being made is finished.
  func end() { loader.end() }

  /// Whether another network than the one in use is being loaded.
  var isLoading: Bool { asked != nil }

  /// Tries a refused network again when it is asked for next.
  mutating func forgetRefusal() {
    refused = nil
  }

  /// Notes that the network in use is gone, for frames of another size are to come.
  ///
  /// It is made anew even if they never come and those of the old size do. Where it came from stays
  /// known, for that stands in for a network that does not work.
  mutating func noteThatNetworkIsDropped() {
    inUse?.frameWidth = 0
    inUse?.frameHeight = 0
  }

  /// Brings the slot in line with what is `wanted`.
  ///
  /// Waits for the loader when there is no network that fits the frames. Where there is one,
  /// `accepts` says whether a network that came is used in its place.
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
        // What does not even load again for other frames cannot stand in either.
        if inUse?.source == request.source { inUse = nil }
        if inUse != nil { outcome.warning = error }
        refused = (wanted.source, error)
      case nil:
        if !fits(request) { outcome.readiness = .interrupted }
        return outcome
      }
    }
  }

  /// Whether the network in use can work on the frames of a request.
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
