import VirtualBackground

/// A video that is decoded ahead of time, over and over, for as long as somebody holds this object.
///
/// A thread of its own, `VideoThread`, decodes it and fits its pictures. They meet in `desk` alone.
final class BackgroundVideo: Sendable {
  /// What the video's thread and those who show the video tell each other.
  struct Desk: Sendable {
    /// What plates are to be made; nil before the first order.
    var order: PlateOrder?
    /// Which order it is; 0 before the first one.
    var orderNumber = 0
    /// The plates of that order that have been made and not been taken.
    var plates = PlateQueue()
    /// The time of the last frame, for which a plate was wanted.
    var now: UInt64 = 0
    /// Why there are no more pictures; taken by the first who asks.
    var fault: BackgroundError?
    /// What is worth a line in the log; taken by the first who asks.
    var note: String?
    /// Whether the last picture has come.
    var hasEnded = false
    /// Nobody wants the video any more.
    var isClosed = false
    /// The greatest number of an order that nobody waits for any more.
    var cancelledOrder = 0
  }

  let desk: Monitor<Desk>

  /// Makes the video's side of a desk.
  init(desk: Monitor<Desk>) {
    self.desk = desk
  }

  deinit {
    // The thread ends by itself: its decoder may take its time.
    desk.change { $0.isClosed = true }
  }

  /// Orders plates, in place of those that were ordered before.
  func makeFeed(_ order: PlateOrder) -> PlateFeed {
    var number = 0
    desk.change { desk in
      desk.orderNumber += 1
      desk.order = order
      desk.plates.removeAll()
      number = desk.orderNumber
    }
    return PlateFeed(video: self, number: number)
  }
}

/// The plates of a video for one format, as they are to be shown; keeps the video open.
final class PlateFeed: Sendable {
  private let video: BackgroundVideo
  private let number: Int

  fileprivate init(video: BackgroundVideo, number: Int) {
    self.video = video
    self.number = number
  }

  /// Whether another feed shows the same video.
  func isOfSameVideo(as other: PlateFeed?) -> Bool { other?.video === video }

  /// Waits until there is a plate, for `patience` at most.
  func waitForPlate(
    within patience: Duration, location: String, _ cancellation: Cancellation
  ) throws(BackgroundError) {
    let (desk, number) = (video.desk, number)
    cancellation.react { desk.change { $0.cancelledOrder = max($0.cancelledOrder, number) } }
    defer { cancellation.react(nil) }
    let failure: BackgroundError?? = desk.wait(upTo: patience) { desk in
      if desk.orderNumber != number || desk.cancelledOrder >= number {
        return BackgroundError(
          kind: .cancelled, location: location, reason: "is not wanted any more")
      }
      if desk.plates.count > 0 { return .some(nil) }
      if desk.hasEnded, let fault = desk.fault { return fault }
      return nil
    }
    guard let failure else {
      throw BackgroundError(
        kind: .timedOut, location: location,
        reason: "took more than \(patience) to decode; give a smaller or local one")
    }
    if let failure { throw failure }
  }

  /// The plate for a frame; nil when it is the one that was given last.
  ///
  /// `time` is counted in nanoseconds from when the video came into use. Neither waits nor allocates.
  func takePlate(at time: UInt64) -> Plate? {
    let isDue = video.desk.withLock { desk in
      guard desk.orderNumber == number else { return false }
      desk.now = time
      return desk.plates.isDue(at: time)
    }
    guard isDue else { return nil }
    var plate: Plate?
    // Wakes the video's thread, for there is room now.
    video.desk.change { desk in
      if desk.orderNumber == number { plate = desk.plates.take(at: time) }
    }
    return plate
  }

  /// Why there are no more pictures, and what is worth a line in the log; both once.
  func takeNews() -> (fault: BackgroundError?, note: String?) {
    video.desk.withLock { desk in
      defer { (desk.fault, desk.note) = (nil, nil) }
      return (desk.fault, desk.note)
    }
  }
}
