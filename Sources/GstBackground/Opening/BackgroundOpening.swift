import CGStreamer
import Threads

/// A background that is being opened on its own thread.
///
/// For a video, the thread then continues to decode. If the object is released before `take`, the
/// background is cancelled.
final class BackgroundOpening: Sendable {
  private enum Outcome: Sendable {
    case pending
    case done(Result<OpenedBackground, BackgroundError>)
    /// The result has been taken, or the opening was cancelled.
    case over

    var isPending: Bool {
      if case .pending = self { return true }
      return false
    }
  }

  /// The path or URI to open (see `BackgroundContent.open`).
  let location: String
  private let timeout: Duration
  /// The time after which `take` stops waiting, in microseconds of a monotonic clock.
  private let deadline: gint64
  private let outcome: Monitor<Outcome>

  /// Begins to open a path or URI, or throws if no other thread can be started.
  init(_ location: String, timeout: Duration, threads: BackgroundThreads) throws(BackgroundError) {
    self.location = location
    self.timeout = timeout
    // Add a second, because the timeout of the decoder begins later.
    deadline = g_get_monotonic_time() + timeout.microseconds + 1_000_000
    let outcome = Monitor(Outcome.pending)
    self.outcome = outcome
    let hasStarted = threads.run {
      // Do not capture `self`: the video is decoded longer than this object is needed.
      Self.work(location, timeout, outcome)?.run()
    }
    guard hasStarted else {
      throw BackgroundError(
        .failed, location,
        "is not opened: \(BackgroundThreads.maxCount) others still wait for a server or a drive "
          + "that does not answer. They give up after \(timeout) at most, unless the drive itself "
          + "hangs. To try again later, set background-path to another value and back")
    }
  }

  deinit { outcome.change { $0 = .over } }

  /// Waits until opening has ended, for at most `limit`.
  ///
  /// Returns false if opening has not ended by then.
  func isDone(within limit: Duration) -> Bool {
    outcome.wait(upTo: limit) { $0.isPending ? nil : () } != nil
  }

  /// Waits for the background and returns it.
  ///
  /// Must be called at most once. The wait ends if `cancellation` is cancelled. It also ends at the
  /// deadline, even if the file system hangs.
  func take(_ cancellation: Cancellation) throws(BackgroundError) -> OpenedBackground {
    cancellation.react { [outcome] in outcome.change { if $0.isPending { $0 = .over } } }
    defer { cancellation.react(nil) }
    let left = Duration.microseconds(max(deadline - g_get_monotonic_time(), 0))
    let taken: Outcome? = outcome.wait(upTo: left) { outcome in
      if outcome.isPending { return nil }
      defer { outcome = .over }
      return outcome
    }
    switch taken {
    case .done(let result): return try result.get()
    case .over, .pending:
      throw .cancelled(location)
    case nil:
      outcome.change { $0 = .over }
      throw BackgroundError(
        .timedOut, location, "took more than \(timeout) to open; use a local file")
    }
  }

  /// Opens a background and stores the result in `outcome`.
  ///
  /// Returns the object that decodes the video on this thread, or nil if there is no video.
  private static func work(
    _ location: String, _ timeout: Duration, _ outcome: Monitor<Outcome>
  ) -> VideoThread? {
    func put(_ result: Result<OpenedBackground, BackgroundError>) {
      outcome.change { if $0.isPending { $0 = .done(result) } }
    }
    do throws(BackgroundError) {
      let content = try BackgroundContent.open(
        location, timeout: timeout, isCancelled: { outcome.withLock { !$0.isPending } })
      switch content {
      case .image(let image): put(.success(.image(image)))
      case .video(let decoder, let first):
        let shared = Monitor(BackgroundVideo.SharedState())
        let thread = VideoThread(decoder, first: first, shared: shared)
        put(.success(.video(BackgroundVideo(shared: shared))))
        return thread
      }
    } catch {
      put(.failure(error))
    }
    return nil
  }
}

/// A background that has been opened.
enum OpenedBackground: Sendable {
  case image(BackgroundImage)
  /// A video, which its own thread decodes.
  case video(BackgroundVideo)
}
