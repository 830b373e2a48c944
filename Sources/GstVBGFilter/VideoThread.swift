import CGStreamer
import VirtualBackground

/// What the thread of a video does: takes pictures from the decoder, fits them, and begins the video
/// anew at its end.
///
/// Made and used on that thread alone, apart from the desk, which has its own lock.
final class VideoThread {
  /// How many plates wait at most; so many pictures' time hides the jump to the start.
  private static let plan = 4
  /// Those that wait, the one that is shown and the one before it, one that the light of the
  /// background was taken from, and one that is painted.
  private static let platesInUse = plan + 4
  /// Of the pictures that come too late, each so many'th is shown, so that something moves.
  private static let lateStep = 8
  /// How long the sink is waited for in one go, in nanoseconds.
  private static let pullTime: UInt64 = 20_000_000

  private let desk: Monitor<BackgroundVideo.Desk>
  /// Nil when there is nothing more to come of it.
  private var decoder: BackgroundDecoder?
  private let orientation: ImageOrientation
  private let isLive: Bool
  private let location: String
  private var timeline = LoopTimeline()
  private var maker: (number: Int, maker: VideoPlateMaker)?
  /// The picture that is shown and those after it, for another format may be wanted.
  private var pictures: [(place: LoopTimeline.Place, picture: DecodedPicture)] = []
  private var lateCount = 0
  /// When the first of the last passes, none of which had a picture, ended.
  private var emptySince: gint64?
  /// A demuxer may miss the start now and then, more often on a busy machine; what gives nothing for
  /// so many microseconds is given up.
  private static let patience: gint64 = 3_000_000
  /// Between passes without a picture, in microseconds: they are over at once.
  private static let pauseOfEmptyPasses: gulong = 20_000

  /// Takes over a running decoder and the pictures that it gave so far.
  init(
    _ decoder: BackgroundDecoder, first: [DecodedPicture],
    desk: Monitor<BackgroundVideo.Desk>
  ) {
    self.desk = desk
    self.decoder = decoder
    orientation = decoder.orientation ?? .upright
    isLive = decoder.isLive
    location = decoder.location
    for picture in first { pictures.append((place(of: picture), picture)) }
  }

  private enum Step {
    case makeAll(PlateOrder, number: Int)
    case decode
    case close
  }

  /// Works until nobody wants the video any more.
  func run() {
    while true {
      switch desk.wait(until: nextStep) {
      case .close: return
      case .makeAll(let order, let number): makeAll(order, number)
      case .decode: decode()
      }
    }
  }

  private func nextStep(_ desk: inout BackgroundVideo.Desk) -> Step? {
    if desk.isClosed { return .close }
    guard let order = desk.order else { return nil }
    if maker?.number != desk.orderNumber { return .makeAll(order, number: desk.orderNumber) }
    let hasRoom = isLive || desk.plates.count < Self.plan
    return decoder != nil && hasRoom ? .decode : nil
  }

  /// Makes the plates of a new order: of the picture that is shown, and of those that wait.
  private func makeAll(_ order: PlateOrder, _ number: Int) {
    maker = (number, VideoPlateMaker(order, count: Self.platesInUse))
    forgetOldPictures()
    var count = 0
    for (place, picture) in pictures where makePlate(of: picture, at: place.time) { count += 1 }
    if count == 0 { end(because: nothingToShow) }
  }

  private func decode() {
    guard let decoder else { return }
    switch decoder.pull(waiting: Self.pullTime) {
    case .picture(let picture):
      take(picture)
    case .endOfPass:
      if let fault = decoder.fault {
        end(because: fault)
      } else if endPass() {
        decoder.beginNextPass()
      }
    case .endOfStream:
      // What failed has been decoded up to there.
      if let fault = decoder.fault {
        end(because: fault)
      } else if endPass(), !decoder.restart() {
        let reason = isLive ? "has ended" : "cannot be played again from its start"
        desk.withLock { $0.note = "background '\(location)' \(reason): its last picture stays" }
        end(because: nil)
      }
    case .nothing:
      if let fault = decoder.fault {
        end(because: fault)
      } else if decoder.isRestarting {
        // The sink does not wait while it is flushed.
        g_usleep(2000)
      }
    }
  }

  private func take(_ picture: DecodedPicture) {
    let place = place(of: picture)
    pictures.append((place, picture))
    forgetOldPictures()
    let now = desk.withLock { $0.now }
    // The one after it is due already.
    if !isLive, PlateQueue.isDue(place.end, at: now) {
      lateCount += 1
      if lateCount % Self.lateStep != 0 { return }
    } else {
      lateCount = 0
    }
    makePlate(of: picture, at: place.time)
  }

  private func place(of picture: DecodedPicture) -> LoopTimeline.Place {
    isLive
      ? LoopTimeline.Place(time: 0, end: 0)
      : timeline.place(stamp: picture.time, duration: picture.duration)
  }

  /// Keeps the picture that is shown and those after it; of a live source, the newest.
  private func forgetOldPictures() {
    let now = desk.withLock { $0.now }
    let shown = pictures.lastIndex { PlateQueue.isDue($0.place.time, at: now) } ?? 0
    pictures.removeFirst(shown)
  }

  /// Makes the plate of a picture; false when there is none.
  @discardableResult
  private func makePlate(of picture: DecodedPicture, at time: UInt64) -> Bool {
    guard let maker, let plate = maker.maker.makePlate(of: picture, turned: orientation) else {
      return false
    }
    desk.change { desk in
      guard desk.orderNumber == maker.number else { return }
      if isLive { desk.plates.removeAll() }
      desk.plates.add(plate, at: time)
    }
    return true
  }

  /// Goes on to the next pass; false when there is none, for the last ones had no picture.
  private func endPass() -> Bool {
    let now = desk.withLock { $0.now }
    if isLive { return true }
    if timeline.endPass(now: now) {
      emptySince = nil
      return true
    }
    let time = g_get_monotonic_time()
    let since = emptySince ?? time
    emptySince = since
    if time - since < Self.patience {
      g_usleep(Self.pauseOfEmptyPasses)
      return true
    }
    end(because: nothingToShow)
    return false
  }

  private var nothingToShow: BackgroundError {
    BackgroundError(
      kind: .damaged, location: location, reason: "gives no more pictures; its last one stays")
  }

  /// Takes no more pictures; the last one stays.
  private func end(because fault: BackgroundError?) {
    // It may have been left out for being late.
    if lateCount % Self.lateStep != 0, let last = pictures.last {
      makePlate(of: last.picture, at: last.place.time)
    }
    decoder?.abandon()
    decoder = nil
    desk.change { desk in
      desk.fault = fault
      desk.hasEnded = true
    }
  }
}
