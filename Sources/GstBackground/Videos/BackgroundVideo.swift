import Compositing
import Threads

/// A video that is decoded ahead of time, in a loop, as long as this object exists.
///
/// A `VideoThread` decodes the video and makes plates of its pictures, on its own thread. This
/// object and the `VideoThread` communicate only through `shared`.
final class BackgroundVideo: Sendable {
  /// The state that the video's thread shares with the users of the video.
  struct SharedState: Sendable {
    /// The format of the plates to make, or nil before the first request.
    var specification: PlateSpecification?
    /// The number of the current specification, or 0 before the first one.
    var specificationNumber = 0
    /// The plates for the current specification that have not been taken yet.
    var plates = PlateQueue()
    /// The position of the last frame that requested a plate, in nanoseconds.
    var now: UInt64 = 0
    /// The reason why there are no more pictures, or nil once it has been reported.
    var fault: BackgroundError?
    /// A note for the log, or nil once it has been reported.
    var note: String?
    /// Whether no more pictures will be decoded.
    var hasEnded = false
    /// Whether the video is no longer needed.
    var isClosed = false
    /// The greatest number of a specification that was cancelled.
    var cancelledNumber = 0
  }

  /// The state that the video's thread reads and writes too.
  let shared: Monitor<SharedState>

  /// Creates the object for a video whose thread uses `shared`.
  init(shared: Monitor<SharedState>) { self.shared = shared }

  deinit {
    // Do not wait for the thread: its decoder may take long.
    shared.change { $0.isClosed = true }
  }

  /// Requests plates, and returns the feed that delivers them.
  ///
  /// Earlier feeds of this video deliver no more plates.
  func makeFeed(_ specification: PlateSpecification) -> PlateFeed {
    let number = shared.change { shared in
      shared.specificationNumber += 1
      shared.specification = specification
      shared.plates.removeAll()
      return shared.specificationNumber
    }
    return PlateFeed(video: self, number: number)
  }
}

/// Delivers the plates of a video for one specification, each when it is due.
///
/// The feed keeps the video open.
public final class PlateFeed: Sendable {
  private let video: BackgroundVideo
  private let number: Int

  fileprivate init(video: BackgroundVideo, number: Int) {
    self.video = video
    self.number = number
  }

  /// Returns whether another feed shows the same video.
  func isOfSameVideo(as other: PlateFeed?) -> Bool { other?.video === video }

  /// Waits until there is a plate, for at most `timeout`.
  ///
  /// Throws an error after `timeout`, if the video fails, if `cancellation` is cancelled, or if a
  /// newer feed replaces this one.
  func waitForPlate(
    within timeout: Duration, location: String, _ cancellation: Cancellation
  ) throws(BackgroundError) {
    let (shared, number) = (video.shared, number)
    cancellation.react { shared.change { $0.cancelledNumber = max($0.cancelledNumber, number) } }
    defer { cancellation.react(nil) }
    let failure: BackgroundError?? = shared.wait(upTo: timeout) { shared in
      if shared.specificationNumber != number || shared.cancelledNumber >= number {
        return .cancelled(location)
      }
      if shared.plates.count > 0 { return .some(nil) }
      if shared.hasEnded, let fault = shared.fault { return fault }
      return nil
    }
    if let error = failure ?? .tooSlow(timeout, location) { throw error }
  }

  /// Returns the plate for a frame.
  ///
  /// Returns nil if the previous plate is still due, or if a newer feed has replaced this one.
  /// `time` is the time in nanoseconds since the video was first shown. Neither blocks nor
  /// allocates.
  func consumePlate(at time: UInt64) -> Plate? {
    let isDue = video.shared.withLock { shared in
      guard shared.specificationNumber == number else { return false }
      shared.now = time
      return shared.plates.isDue(at: time)
    }
    guard isDue else { return nil }
    // `change` wakes the video's thread, because the queue has space for another plate now.
    return video.shared.change { shared in
      shared.specificationNumber == number ? shared.plates.take(at: time) : nil
    }
  }

  /// Returns the reason why there are no more pictures, and a note for the log.
  ///
  /// Each is returned once. It is nil if there is nothing to report.
  func consumeNews() -> (fault: BackgroundError?, note: String?) {
    video.shared.withLock { shared in
      defer { (shared.fault, shared.note) = (nil, nil) }
      return (shared.fault, shared.note)
    }
  }
}
