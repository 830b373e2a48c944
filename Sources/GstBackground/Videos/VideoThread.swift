import CGStreamer
import Compositing
import PixelTypes
import Threads

/// The work of a video's thread: takes pictures from the decoder, fits them, and restarts the
/// video.
///
/// Made and used on that thread alone, apart from the shared state, which has its own lock.
final class VideoThread {
  /// One in this many late pictures is shown, so that the video still moves.
  private static let lateStep = 8
  /// The time of one wait for the sink, in nanoseconds.
  private static let pullTime: UInt64 = 20_000_000

  private let shared: Monitor<BackgroundVideo.SharedState>
  /// The limit for plates and pictures, in bytes.
  private let memory: Int
  /// The decoder, or nil if no more pictures will come.
  private var decoder: BackgroundDecoder?
  /// The previous decoder, until it is down.
  private weak var abandoned: BackgroundDecoder?
  /// Whether the video must be reopened because it cannot go back to its start.
  private var isToBeOpened = false
  private let orientation: ImageOrientation
  private let isLive: Bool
  private let location: String
  private var timeline = LoopTimeline()
  private var maker: (number: Int, maker: VideoPlateMaker, budget: VideoBudget)?
  /// The current picture and later ones, in case another format is requested.
  ///
  /// If the pictures are too large to keep, it is only the newest.
  private(set) var pictures: [(place: LoopTimeline.Place, picture: DecodedPicture)] = []
  /// The decoded pictures that have not been taken.
  private var decoded: [DecodedPicture] = []
  private var lateCount = 0
  /// The number of successive pictures that could not be converted to plates.
  private var uselessCount = 0
  /// The video is abandoned after this many useless pictures.
  private static let maxUseless = 50
  private var watch = LoopWatch()
  /// The pause between passes without a picture, in microseconds, because they end at once.
  private static let pauseOfEmptyPasses: gulong = 20_000

  /// Takes over a running decoder and the pictures that it gave so far.
  init(
    _ decoder: BackgroundDecoder, first: [DecodedPicture],
    shared: Monitor<BackgroundVideo.SharedState>, memory: Int = VideoBudget.maxBytes
  ) {
    self.shared = shared
    self.memory = memory
    self.decoder = decoder
    orientation = decoder.orientation ?? .upright
    isLive = decoder.isLive
    location = decoder.location
    for picture in first { pictures.append((place(of: picture), picture)) }
  }

  private enum Step {
    case makeAll(PlateSpecification, number: Int)
    case decode
    case open
    case close
  }

  /// Runs until the video is closed.
  func run() {
    while true {
      switch shared.wait(until: nextStep) {
      case .close: return
      case .makeAll(let specification, let number): makeAll(specification, number)
      case .decode: decode()
      case .open: openAnew()
      }
    }
  }

  private func nextStep(_ shared: inout BackgroundVideo.SharedState) -> Step? {
    if shared.isClosed { return .close }
    guard let specification = shared.specification else { return nil }
    if maker?.number != shared.specificationNumber {
      return .makeAll(specification, number: shared.specificationNumber)
    }
    if isToBeOpened { return .open }
    let hasRoom = isLive || shared.plates.count < maker?.budget.platesAhead ?? 0
    return decoder != nil && hasRoom ? .decode : nil
  }

  /// Makes the plates of a new specification, for the current and the waiting pictures.
  private func makeAll(_ specification: PlateSpecification, _ number: Int) {
    let budget = VideoBudget(specification.format, maxBytes: memory)
    maker = (number, VideoPlateMaker(specification, count: budget.plates), budget)
    forgetOldPictures()
    // The first is shown at once: if it is too large to keep, it may be a later picture.
    var start = shared.withLock { $0.now }
    var count = 0
    do throws(OutOfMemory) {
      for (place, picture) in pictures.prefix(1 + budget.platesAhead) {
        if try makePlate(of: picture, at: min(place.time, start)) {
          count += 1
          start = .max
        }
      }
      dropLargePictures()
      if count == 0 { end(because: nothingToShow) }
    } catch {
      if count == 0 { end(because: .outOfMemory(error.byteCount, location)) }
    }
  }

  private func decode() {
    guard let decoder else { return }
    if !decoded.isEmpty {
      take(decoded.removeFirst())
      return
    }
    let pulled = decoder.pull(waiting: Self.pullTime)
    if case .picture(let picture) = pulled {
      watch.recordPicture()
      take(picture)
    } else if let fault = decoder.fault {
      // The pictures before the failure have been decoded.
      end(because: fault)
    } else if decoder.hasRefusedToRestart || watch.isOverdue(at: g_get_monotonic_time()) {
      watch.recordRefusal()
      isToBeOpened = true
    } else if case .nothing = pulled {
      // The sink does not wait while it is flushed.
      if decoder.isRestarting { g_usleep(2000) }
    } else {
      beginAnew(decoder, after: pulled)
    }
  }

  /// Continues with the first picture after the last one.
  private func beginAnew(_ decoder: BackgroundDecoder, after pulled: BackgroundDecoder.Pulled) {
    let now = shared.withLock { $0.now }
    // A demuxer sometimes misses the start.
    if !isLive, !timeline.endPass(now: now) { g_usleep(Self.pauseOfEmptyPasses) }
    watch.recordSeek(at: g_get_monotonic_time())
    if watch.hasFailed {
      isToBeOpened = true
    } else if case .endOfPass = pulled {
      decoder.beginNextPass()
    } else if !decoder.restart() {
      if decoder.isFile, !isLive {
        isToBeOpened = true
      } else {
        let reason = isLive ? "has ended" : "cannot be played again from its start"
        let note = failure(.failed, "\(reason); its last picture stays visible").description
        shared.withLock { $0.note = note }
        end(because: nil)
      }
    }
  }

  /// Reopens the video, to continue with its first picture.
  ///
  /// The last picture stays meanwhile.
  private func openAnew() {
    if let decoder {
      guard isDown else {
        // Anything that blocks it would block the next one too.
        end(
          because: failure(
            .failed, "cannot be played again from its start; its last picture stays visible"))
        return
      }
      decoder.abandon()
      abandoned = decoder
      self.decoder = nil
    }
    let number = maker?.number
    do throws(BackgroundError) {
      // Plates that are waited for are made first.
      let content = try BackgroundContent.open(
        location,
        isCancelled: { [shared] in
          shared.withLock { $0.isClosed || $0.specificationNumber != number }
        })
      guard case .video(let decoder, let first) = content, !decoder.isLive else {
        throw failure(.failed, "is no longer a video; its last picture stays visible")
      }
      self.decoder = decoder
      decoded = first
      isToBeOpened = false
      watch.recordPicture()
    } catch {
      if error.kind != .cancelled { end(because: error) }
    }
  }

  /// Whether the previous decoder has ended, after a wait with a time limit.
  private var isDown: Bool {
    let deadline = g_get_monotonic_time() + LoopWatch.stallTime
    while abandoned != nil {
      if g_get_monotonic_time() >= deadline || shared.withLock({ $0.isClosed }) { return false }
      g_usleep(2000)
    }
    return true
  }

  private func take(_ picture: DecodedPicture) {
    let place = place(of: picture)
    let now = shared.withLock { $0.now }
    // The one after it is due already.
    let isLate = !isLive && PlateQueue.isDue(place.end, at: now)
    lateCount = isLate ? lateCount + 1 : 0
    do throws(OutOfMemory) {
      if isLate, lateCount % Self.lateStep != 0 {
        if uselessCount > 0 { return }
      } else if try makePlate(of: picture, at: place.time) {
        uselessCount = 0
      } else {
        // Not kept: their number may have no limit.
        uselessCount += 1
        if uselessCount == Self.maxUseless {
          end(
            because: failure(
              .damaged,
              "continues with pictures that cannot be shown; its last good one stays visible"))
        }
        return
      }
    } catch {
      end(because: .outOfMemory(error.byteCount, location))
      return
    }
    pictures.append((place, picture))
    forgetOldPictures()
    dropLargePictures()
  }

  private func place(of picture: DecodedPicture) -> LoopTimeline.Place {
    isLive
      ? LoopTimeline.Place(time: 0, end: 0)
      : timeline.place(stamp: picture.time, duration: picture.duration)
  }

  /// Keeps the current picture and later ones, or the newest of a live source.
  private func forgetOldPictures() {
    let now = shared.withLock { $0.now }
    let shown = pictures.lastIndex { PlateQueue.isDue($0.place.time, at: now) } ?? 0
    pictures.removeFirst(shown)
  }

  /// Drops the oldest pictures that exceed the budget, but keeps the newest: the others have
  /// plates.
  private func dropLargePictures() {
    let room = maker?.budget.pictureBytes ?? 0
    var size = pictures.reduce(0) { $0 + $1.picture.byteCount }
    while pictures.count > 1, size > room { size -= pictures.removeFirst().picture.byteCount }
  }

  /// Makes the plate of a picture.
  ///
  /// Returns false if there is no plate.
  private func makePlate(
    of picture: DecodedPicture, at time: UInt64
  ) throws(OutOfMemory) -> Bool {
    guard let maker, let plate = try maker.maker.makePlate(of: picture, turned: orientation)
    else { return false }
    shared.change { shared in
      guard shared.specificationNumber == maker.number else { return }
      if isLive { shared.plates.removeAll() }
      shared.plates.add(plate, at: time)
    }
    return true
  }

  private var nothingToShow: BackgroundError {
    failure(.damaged, "delivers no more pictures; its last one stays visible")
  }

  private func failure(_ kind: BackgroundError.Kind, _ reason: String) -> BackgroundError {
    BackgroundError(kind: kind, location: location, reason: reason)
  }

  /// Takes no more pictures.
  ///
  /// The last one stays.
  private func end(because fault: BackgroundError?) {
    // It may have been skipped because it was late.
    if lateCount % Self.lateStep != 0, let last = pictures.last {
      _ = try? makePlate(of: last.picture, at: last.place.time)
    }
    decoder?.abandon()
    decoder = nil
    isToBeOpened = false
    decoded.removeAll()
    shared.change { shared in
      shared.fault = fault
      shared.hasEnded = true
    }
  }
}
