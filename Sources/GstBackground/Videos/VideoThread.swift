import CGStreamer
import Compositing
import PixelTypes
import Threads

/// Decodes a video on its thread, makes plates of its pictures, and restarts it at its end.
///
/// Created and used only on that thread, except `shared`, which has its own lock.
final class VideoThread {
  /// One in this many late pictures is shown, so that the video still moves.
  private static let lateStep = 8
  /// The maximum time of one wait for a picture, in nanoseconds.
  private static let pullTime: UInt64 = 20_000_000

  private let shared: Monitor<BackgroundVideo.SharedState>
  /// The limit for plates and pictures, in bytes.
  private let memory: Int
  /// The decoder, or nil if no more pictures will come.
  private var decoder: BackgroundDecoder?
  /// The previous decoder, or nil once its pipeline has stopped.
  private weak var abandoned: BackgroundDecoder?
  /// Whether the video must be reopened because it cannot seek to its start.
  private var mustReopen = false
  private let orientation: ImageOrientation
  private let isLive: Bool
  private let location: String
  private var timeline = LoopTimeline()
  private var maker: VideoPlateMaker?
  /// The current picture and later ones, which are needed again if another format is requested.
  ///
  /// If these pictures exceed the budget, only the newest ones are kept, and at least one.
  private(set) var pictures: [(place: LoopTimeline.Place, picture: DecodedPicture)] = []
  /// The first pictures of a reopened video, which are not processed yet.
  private var decoded: [DecodedPicture] = []
  /// The number of consecutive late pictures.
  private var lateCount = 0
  /// The number of consecutive pictures that could not be converted to plates.
  private var uselessCount = 0
  /// The video ends after this many consecutive pictures that could not be converted.
  private static let maxUseless = 50
  /// The time limit for the first picture of a pass, in microseconds.
  ///
  /// An element may seek to another position, ignore the seek or never return from it. After this
  /// time the video is reopened.
  private static let stallTime: gint64 = 3_000_000
  /// The time of the seek to the start if its first picture has not arrived, otherwise nil.
  private var seekTime: gint64?
  /// Whether a seek to the start has failed.
  ///
  /// It would fail again, so the video is then reopened at the end of every pass.
  private var hasFailedToSeek = false

  /// Continues with a running decoder, and with the pictures that it has delivered so far.
  ///
  /// The object takes ownership of the decoder.
  init(
    _ decoder: BackgroundDecoder, first: [DecodedPicture],
    shared: Monitor<BackgroundVideo.SharedState>, memory: Int = VideoPlateMaker.maxBytes
  ) {
    self.shared = shared
    self.memory = memory
    self.decoder = decoder
    orientation = decoder.orientation ?? .upright
    isLive = decoder.isLive
    location = decoder.location
    timeline.delays = decoder.checks.inspection?.delays ?? []
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
      case .open: reopen()
      }
    }
  }

  private func nextStep(_ shared: inout BackgroundVideo.SharedState) -> Step? {
    if shared.isClosed { return .close }
    guard let specification = shared.specification else { return nil }
    if maker?.number != shared.specificationNumber {
      return .makeAll(specification, number: shared.specificationNumber)
    }
    if mustReopen { return .open }
    let hasRoom = isLive || shared.plates.count < maker?.platesAhead ?? 0
    return decoder != nil && hasRoom ? .decode : nil
  }

  /// Makes the plates for a new specification, of the current picture and of later ones.
  private func makeAll(_ specification: PlateSpecification, _ number: Int) {
    let maker = VideoPlateMaker(specification, number: number, maxBytes: memory)
    self.maker = maker
    forgetOldPictures()
    // Show the first picture at once, even if it is not due: the current one may have been dropped.
    var start = shared.withLock { $0.now }
    var count = 0
    do throws(OutOfMemory) {
      for (place, picture) in pictures.prefix(1 + maker.platesAhead) {
        if try makePlate(of: picture, at: min(place.time, start)) {
          count += 1
          start = .max
        }
      }
      dropLargePictures()
      if count == 0 {
        end(because: failure(.damaged, "delivers no more pictures; its last one stays visible"))
      }
    } catch {
      if count == 0 { end(because: .outOfMemory(error.byteCount, location)) }
    }
  }

  private func decode() {
    guard let decoder else { return }
    if !decoded.isEmpty { return take(decoded.removeFirst()) }
    let pulled = decoder.pull(waiting: Self.pullTime)
    if case .picture(let picture) = pulled {
      seekTime = nil
      take(picture)
    } else if let fault = decoder.fault {
      // All pictures before the failure have been pulled.
      end(because: fault)
    } else if decoder.hasRefusedToRestart
      || seekTime.map({ g_get_monotonic_time() - $0 >= Self.stallTime }) == true
    {
      hasFailedToSeek = true
      seekTime = nil
      mustReopen = true
    } else if case .nothing = pulled {
      // A flushing sink returns at once, so wait here.
      if decoder.isRestarting { g_usleep(2000) }
    } else {
      beginNextPass(decoder, after: pulled)
    }
  }

  /// Restarts the video after the end of a pass, or ends it if that is not possible.
  private func beginNextPass(_ decoder: BackgroundDecoder, after pulled: BackgroundDecoder.Pulled) {
    let now = shared.withLock { $0.now }
    // A demuxer sometimes misses the start, so that the pass has no picture, and ends at once.
    // Without a pause the thread would then use a whole core.
    if !isLive, !timeline.endPass(now: now) { g_usleep(gulong(Self.pullTime / 1000)) }
    seekTime = seekTime ?? g_get_monotonic_time()
    if hasFailedToSeek {
      mustReopen = true
    } else if case .endOfPass = pulled {
      decoder.beginNextPass()
    } else if !decoder.restart() {
      if decoder.isFile, !isLive {
        mustReopen = true
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
  /// The last picture stays visible until then.
  private func reopen() {
    if let decoder {
      guard waitForPreviousDecoder() else {
        // The cause that blocks the previous decoder would block the next one too.
        let reason = "cannot be played again from its start; its last picture stays visible"
        return end(because: failure(.failed, reason))
      }
      decoder.abandon()
      abandoned = decoder
      self.decoder = nil
    }
    let number = maker?.number
    do throws(BackgroundError) {
      // If another format is requested, cancel the opening: a reader waits for these plates.
      let content = try BackgroundContent.open(
        location,
        isCancelled: { [shared] in
          shared.withLock { $0.isClosed || $0.specificationNumber != number }
        })
      guard case .video(let decoder, let first) = content, !decoder.isLive else {
        throw failure(.failed, "is no longer a video; its last picture stays visible")
      }
      self.decoder = decoder
      timeline.delays = decoder.checks.inspection?.delays ?? []
      decoded = first
      mustReopen = false
      seekTime = nil
    } catch {
      if error.kind != .cancelled { end(because: error) }
    }
  }

  /// Waits until the pipeline of the previous decoder has stopped.
  ///
  /// Returns false if it has not stopped within `stallTime`, or if the video was closed.
  private func waitForPreviousDecoder() -> Bool {
    let deadline = g_get_monotonic_time() + Self.stallTime
    while abandoned != nil {
      if g_get_monotonic_time() >= deadline || shared.withLock({ $0.isClosed }) { return false }
      g_usleep(2000)
    }
    return true
  }

  /// Makes a plate of a decoded picture, unless the picture is late.
  private func take(_ picture: DecodedPicture) {
    let place = place(of: picture)
    let now = shared.withLock { $0.now }
    // A picture is late if the picture after it is already due.
    let isLate = !isLive && PlateQueue.hasBegun(place.end, at: now)
    lateCount = isLate ? lateCount + 1 : 0
    do throws(OutOfMemory) {
      if isLate, lateCount % Self.lateStep != 0 {
        if uselessCount > 0 { return }
      } else if try makePlate(of: picture, at: place.time) {
        uselessCount = 0
      } else {
        // Do not keep this picture: there may be any number of such pictures.
        uselessCount += 1
        if uselessCount == Self.maxUseless {
          let reason =
            "continues with pictures that cannot be shown; its last good one stays visible"
          end(because: failure(.damaged, reason))
        }
        return
      }
    } catch {
      return end(because: .outOfMemory(error.byteCount, location))
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

  /// Drops all pictures before the current one, or, for a live source, before the newest one.
  private func forgetOldPictures() {
    let now = shared.withLock { $0.now }
    let shown = pictures.lastIndex { PlateQueue.hasBegun($0.place.time, at: now) } ?? 0
    pictures.removeFirst(shown)
  }

  /// Drops the oldest pictures until the rest fits in the budget, but keeps the newest one.
  ///
  /// The pictures are dropped without loss, because they already have plates.
  private func dropLargePictures() {
    let room = maker?.pictureBytes ?? 0
    var size = pictures.reduce(0) { $0 + $1.picture.byteCount }
    while pictures.count > 1, size > room { size -= pictures.removeFirst().picture.byteCount }
  }

  /// Makes the plate of a picture and adds it to the queue.
  ///
  /// Returns false if no plate could be made.
  private func makePlate(of picture: DecodedPicture, at time: UInt64) throws(OutOfMemory) -> Bool {
    guard let maker, let plate = try maker.makePlate(of: picture, turned: orientation)
    else { return false }
    shared.change { shared in
      guard shared.specificationNumber == maker.number else { return }
      if isLive { shared.plates.removeAll() }
      shared.plates.add(plate, at: time)
    }
    return true
  }

  private func failure(_ kind: BackgroundError.Kind, _ reason: String) -> BackgroundError {
    BackgroundError(kind, location, reason)
  }

  /// Ends decoding: the last picture stays visible.
  ///
  /// `fault` is the reason to report, or nil to report nothing.
  private func end(because fault: BackgroundError?) {
    // Make the plate of the last picture if it was skipped because it was late.
    if lateCount % Self.lateStep != 0, let last = pictures.last {
      _ = try? makePlate(of: last.picture, at: last.place.time)
    }
    decoder?.abandon()
    decoder = nil
    mustReopen = false
    decoded.removeAll()
    shared.change { shared in
      shared.fault = fault
      shared.hasEnded = true
    }
  }
}
