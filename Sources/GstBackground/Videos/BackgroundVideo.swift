import Compositing
import Threads

/// A video that is decoded ahead of time, in a loop, while this object is held.
///
/// Its own thread, `VideoThread`, decodes it and fits its pictures. They share only `shared`.
final class BackgroundVideo: Sendable {
  /// The state that the video's thread shares with the users of the video.
  struct SharedState: Sendable {
    /// The plates to make, or nil before the first specification.
    var specification: PlateSpecification?
    /// The number of the specification, or 0 before the first one.
    var specificationNumber = 0
    /// The plates of that specification that have been made and not been taken.
    var plates = PlateQueue()
    /// The time of the last frame that asked for a plate.
    var now: UInt64 = 0
    /// The reason why there are no more pictures, taken by the first reader.
    var fault: BackgroundError?
    /// A note for the log, taken by the first reader.
    var note: String?
    /// Whether the last picture has come.
    var hasEnded = false
    /// Whether the video is not needed any more.
    var isClosed = false
    /// The greatest number of a cancelled specification.
    var cancelledNumber = 0
  }

  let shared: Monitor<SharedState>

  /// Makes the video's side of the shared state.
  init(shared: Monitor<SharedState>) {
    self.shared = shared
  }

  deinit {
    // The thread ends by itself: its decoder may take its time.
    shared.change { $0.isClosed = true }
  }

  /// Requests plates, which replace the ones requested before.
  func makeFeed(_ specification: PlateSpecification) -> PlateFeed {
    var number = 0
    shared.change { shared in
      shared.specificationNumber += 1
      shared.specification = specification
      shared.plates.removeAll()
      number = shared.specificationNumber
    }
    return PlateFeed(video: self, number: number)
  }
}

/// The plates of a video for one format, each when it is due.
///
/// Keeps the video open.
public final class PlateFeed: Sendable {
  private let video: BackgroundVideo
  private let number: Int

  fileprivate init(video: BackgroundVideo, number: Int) {
    self.video = video
    self.number = number
  }

  /// Whether another feed shows the same video.
  func isOfSameVideo(as other: PlateFeed?) -> Bool { other?.video === video }

  /// Waits until there is a plate, at most for `timeout`.
  func waitForPlate(
    within timeout: Duration, location: String, _ cancellation: Cancellation
  ) throws(BackgroundError) {
    let (shared, number) = (video.shared, number)
    cancellation.react { shared.change { $0.cancelledNumber = max($0.cancelledNumber, number) } }
    defer { cancellation.react(nil) }
    let failure: BackgroundError?? = shared.wait(upTo: timeout) { shared in
      if shared.specificationNumber != number || shared.cancelledNumber >= number {
        return BackgroundError(
          kind: .cancelled, location: location, reason: "is no longer needed")
      }
      if shared.plates.count > 0 { return .some(nil) }
      if shared.hasEnded, let fault = shared.fault { return fault }
      return nil
    }
    guard let failure else {
      throw BackgroundError(
        kind: .timedOut, location: location,
        reason: "took more than \(timeout) to decode; use a smaller or local one")
    }
    if let failure { throw failure }
  }

  /// The plate for a frame, or nil if the previous plate is still due or a newer feed has replaced
  /// this one.
  ///
  /// `time` is counted in nanoseconds from the first use of the video. Neither waits nor allocates.
  func consumePlate(at time: UInt64) -> Plate? {
    let isDue = video.shared.withLock { shared in
      guard shared.specificationNumber == number else { return false }
      shared.now = time
      return shared.plates.isDue(at: time)
    }
    guard isDue else { return nil }
    var plate: Plate?
    // Wakes the video's thread, because there is room now.
    video.shared.change { shared in
      if shared.specificationNumber == number { plate = shared.plates.take(at: time) }
    }
    return plate
  }

  /// The reason why there are no more pictures, and a note for the log, each returned once.
  func consumeNews() -> (fault: BackgroundError?, note: String?) {
    video.shared.withLock { shared in
      defer { (shared.fault, shared.note) = (nil, nil) }
      return (shared.fault, shared.note)
    }
  }
}
