import PixelTypes
import Threads

/// Loads backgrounds.
///
/// See `BackgroundSource.makeLoader`.
package typealias BackgroundLoader = Loader<PlateRequest, LoadedBackground, BackgroundError>

/// Opens images and videos, and fits them to the frames of a stream.
///
/// The source keeps the image that was opened last, and refers to the videos that are playing. So a
/// background is not opened again when only the frame format changes. Sendable because one thread
/// at a time uses it: the thread that opens the first background, then the loader's thread.
public final class BackgroundSource: @unchecked Sendable {
  /// The background that was opened last, for a video only until its feed is created.
  private var lastOpened: (location: String, background: OpenedBackground)?
  /// The background that was still being opened when `open` returned.
  private var opening: BackgroundOpening?
  /// The videos that have a feed, which are not opened again for another frame format.
  private var playing: [Playing] = []
  private let threads: BackgroundThreads
  private let timeouts: BackgroundTimeouts

  private struct Playing {
    let location: String
    weak var video: BackgroundVideo?
  }

  package init(threads: BackgroundThreads, timeouts: BackgroundTimeouts) {
    self.threads = threads
    self.timeouts = timeouts
  }

  /// Creates a source for one stream.
  public convenience init() {
    self.init(threads: BackgroundThreads(), timeouts: BackgroundTimeouts())
  }

  package static func isLocal(_ location: String) -> Bool { BackgroundContent.isLocal(location) }

  /// Begins to open a background before the frame format is known.
  ///
  /// Blocks for at most `BackgroundTimeouts.start`. Throws an error if opening fails within this
  /// time.
  package func open(_ location: String) throws(BackgroundError) {
    let opening = try makeOpening(of: location)
    self.opening = opening
    if opening.isDone(within: timeouts.start) { _ = try opened(location, Cancellation()) }
  }

  /// Opens a background, unless it is open, and fits it to the frames.
  ///
  /// Returns the plate of an image, or the feed of a video once its first plate is ready. Blocks
  /// for at most `BackgroundTimeouts.open` per step, by default 20 seconds, or until `cancellation`
  /// is cancelled. Call it on a thread that may block, for example the thread of a `Loader`. A
  /// video is decoded until its feed, and every player that uses the feed, are released.
  ///
  /// - Throws: an error that describes the problem with the background.
  public func load(
    _ request: PlateRequest, _ cancellation: Cancellation
  ) throws(BackgroundError) -> LoadedBackground {
    let (location, specification) = (request.location, request.specification)
    switch try opened(location, cancellation) {
    case .image(let image):
      do throws(OutOfMemory) {
        return .still(
          try image.makePlate(
            for: specification.format, fit: specification.fit,
            backgroundColor: specification.backgroundColor))
      } catch {
        throw BackgroundError.outOfMemory(error.byteCount, location)
      }
    case .video(let video):
      // From now on the feed keeps the video open.
      lastOpened = nil
      playing.removeAll { $0.video == nil || $0.location == location }
      playing.append(Playing(location: location, video: video))
      let feed = video.makeFeed(specification)
      try feed.waitForPlate(within: timeouts.open, location: location, cancellation)
      return .moving(feed)
    }
  }

  /// Creates a loader that loads backgrounds on `thread`.
  ///
  /// After this call only `thread` may use this object. If a request is cancelled, its background
  /// is abandoned, even if the call that opens it blocks. `wait` is woken when a result is ready.
  package func makeLoader(on thread: LoadingThread, waking wait: StreamWait) -> BackgroundLoader {
    BackgroundLoader(on: thread, waking: wait) {
      [self] (request, cancellation) throws(BackgroundError) in try load(request, cancellation)
    }
  }

  /// Returns the background at a location, and opens it if it is not open.
  private func opened(
    _ location: String, _ cancellation: Cancellation
  ) throws(BackgroundError) -> OpenedBackground {
    if let lastOpened, lastOpened.location == location { return lastOpened.background }
    if let video = playing.first(where: { $0.location == location })?.video { return .video(video) }
    // Release the previous image first: two decoded images would need twice the memory.
    lastOpened = nil
    let opening = try makeOpening(of: location)
    self.opening = nil
    let background = try opening.take(cancellation)
    lastOpened = (location, background)
    return background
  }

  /// Returns the opening of `location` that has already begun, or begins a new one.
  private func makeOpening(of location: String) throws(BackgroundError) -> BackgroundOpening {
    if let opening, opening.location == location { return opening }
    return try BackgroundOpening(location, timeout: timeouts.open, threads: threads)
  }
}

/// The time limits for backgrounds.
package struct BackgroundTimeouts: Sendable {
  /// The maximum time that the start of the element waits for a local background.
  ///
  /// The limit is short because the start cannot be interrupted: the next state change waits for
  /// it. If the background takes longer, the first frame waits for it.
  package var start = Duration.seconds(2)
  /// The maximum time to open a background, and then to make the first plate of a video.
  package var open = BackgroundImage.timeout

  /// Creates the default time limits.
  package init() {}
}
