import PixelTypes
import Threads

/// Loads backgrounds.
///
/// See `BackgroundSource.makeLoader`.
package typealias BackgroundLoader = Loader<PlateRequest, LoadedBackground, BackgroundError>

/// Opens images and videos, and fits them to the frames of a stream.
///
/// Keeps the picture that was opened last, and finds videos that are already shown, so that new
/// frames need no reading. Sendable because one thread at a time uses it: the thread that opens the
/// first background, then the loader's thread.
public final class BackgroundSource: @unchecked Sendable {
  /// The background that was opened last.
  ///
  /// A video is kept here only until it is shown.
  private var lastOpened: (location: String, background: OpenedBackground)?
  /// The background that was still being opened when `open` returned.
  private var opening: BackgroundOpening?
  /// The videos that are shown, or about to be: they are not opened again for other frames.
  private var playing: [Playing] = []
  private let threads: BackgroundThreads
  private let timeouts: BackgroundTimeouts

  private struct Playing {
    let location: String
    weak var video: BackgroundVideo?
  }

  /// Creates a source.
  package init(threads: BackgroundThreads, timeouts: BackgroundTimeouts) {
    self.threads = threads
    self.timeouts = timeouts
  }

  /// Creates a source for one stream.
  public convenience init() {
    self.init(threads: BackgroundThreads(), timeouts: BackgroundTimeouts())
  }

  /// Whether a location can be opened without a server.
  package static func isLocal(_ location: String) -> Bool { BackgroundContent.isLocal(location) }

  /// Begins to open a background, before there are frames to put it behind.
  ///
  /// Blocks for at most `BackgroundTimeouts.start`. Throws the errors that are known by then.
  package func open(_ location: String) throws(BackgroundError) {
    let opening = try makeOpening(of: location)
    self.opening = opening
    if opening.isDone(within: timeouts.start) { _ = try opened(location, Cancellation()) }
  }

  /// Opens a background, unless it is open, and fits it to frames: for a video, the first picture.
  ///
  /// Blocks until then, for at most 20 seconds per step, unless `cancellation` ends it. Call it on
  /// a thread that may block, for example a `Loader`'s. A video is decoded while the result, or a
  /// player that shows it, is held.
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
      // From now on the player that shows it keeps it open.
      lastOpened = nil
      playing.removeAll { $0.video == nil || $0.location == location }
      playing.append(Playing(location: location, video: video))
      let feed = video.makeFeed(specification)
      try feed.waitForPlate(within: timeouts.open, location: location, cancellation)
      return .moving(feed)
    }
  }

  /// Loads backgrounds on a loading thread.
  ///
  /// Only that thread may use this object from then on.
  ///
  /// A cancelled background is abandoned, even while its opening blocks.
  package func makeLoader(
    on thread: LoadingThread, waking wait: StreamWait
  ) -> BackgroundLoader {
    BackgroundLoader(on: thread, waking: wait) {
      [self] (request, cancellation) throws(BackgroundError) in try load(request, cancellation)
    }
  }

  private func opened(
    _ location: String, _ cancellation: Cancellation
  ) throws(BackgroundError) -> OpenedBackground {
    if let lastOpened, lastOpened.location == location { return lastOpened.background }
    if let video = playing.first(where: { $0.location == location })?.video { return .video(video) }
    // Two decoded pictures need not be in memory at the same time.
    lastOpened = nil
    let opening = try makeOpening(of: location)
    self.opening = nil
    let background = try opening.take(cancellation)
    lastOpened = (location, background)
    return background
  }

  /// The opening of a background: the one that was begun, or a new one.
  private func makeOpening(of location: String) throws(BackgroundError) -> BackgroundOpening {
    if let opening, opening.location == location { return opening }
    return try BackgroundOpening(location, timeout: timeouts.open, threads: threads)
  }
}

/// The time limits for backgrounds.
package struct BackgroundTimeouts: Sendable {
  /// The time that the start of the element waits for a local background.
  ///
  /// Nothing can interrupt the start: a state change waits for the previous one. The first frame
  /// waits for a background that takes longer.
  package var start = Duration.seconds(2)
  /// The time that a background may take to open, and to show its first picture.
  package var open = Duration.seconds(20)

  /// Makes the default time limits.
  package init() {}
}
