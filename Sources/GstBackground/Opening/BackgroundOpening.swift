import CGStreamer
import Threads

/// A background that is being opened on a thread of its own, which decodes on if it is a video.
///
/// The object's end cancels the background.
final class BackgroundOpening: Sendable {
  private enum Outcome: Sendable {
    case pending
    case done(Result<OpenedBackground, BackgroundError>)
    /// It has been taken or cancelled.
    case over

    var isPending: Bool {
      if case .pending = self { return true }
      return false
    }
  }

  /// What is opened: a path or URI; see `BackgroundContent.open`.
  let location: String
  private let patience: Duration
  /// When it is given up, in microseconds of a clock that never goes back.
  private let deadline: gint64
  private let outcome: Monitor<Outcome>

  /// Begins to open what is at a path or URI; throws when there cannot be another thread.
  init(
    _ location: String, patience: Duration, threads: BackgroundThreads
  ) throws(BackgroundError) {
    self.location = location
    self.patience = patience
    // The decoder's own patience begins later.
    deadline = g_get_monotonic_time() + gint64((patience + .seconds(1)) / .microseconds(1))
    let outcome = Monitor(Outcome.pending)
    self.outcome = outcome
    let hasStarted = threads.run {
      // What it decodes on after the result is known is not held by it.
      let thread = Self.work(location, patience, outcome)
      thread?.run()
    }
    guard hasStarted else {
      throw BackgroundError(
        kind: .failed, location: location,
        reason:
          "is not opened: \(BackgroundThreads.maxCount) others still wait for a server or a drive "
          + "that does not answer. They give up after \(patience) at most, unless the drive itself "
          + "hangs; set background-path to another value and back then")
    }
  }

  deinit {
    outcome.change { $0 = .over }
  }

  /// Waits until it is known what comes of it, for `limit` at most; false when it is not known then.
  func isDone(within limit: Duration) -> Bool {
    outcome.wait(upTo: limit) { $0.isPending ? nil : () } != nil
  }

  /// Waits for what comes of it and takes it; to be called once.
  ///
  /// The wait ends when `cancellation` says that it is not wanted any more, and when the patience is
  /// over even if the file system hangs.
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
    case .done(let result):
      return try result.get()
    case .over, .pending:
      throw BackgroundError(
        kind: .cancelled, location: location, reason: "is not wanted any more")
    case nil:
      outcome.change { $0 = .over }
      throw BackgroundError(
        kind: .timedOut, location: location,
        reason: "took more than \(patience) to open; give a local one")
    }
  }

  /// Opens a background and hands it over; returns what is left to do for a video.
  private static func work(
    _ location: String, _ patience: Duration, _ outcome: Monitor<Outcome>
  ) -> VideoThread? {
    func put(_ result: Result<OpenedBackground, BackgroundError>) {
      outcome.change { if $0.isPending { $0 = .done(result) } }
    }
    do throws(BackgroundError) {
      let content = try BackgroundContent.open(
        location, patience: patience, isCancelled: { outcome.withLock { !$0.isPending } })
      switch content {
      case .image(let image):
        put(.success(.image(image)))
        return nil
      case .video(let decoder, let first):
        let shared = Monitor(BackgroundVideo.SharedState())
        let thread = VideoThread(decoder, first: first, shared: shared)
        put(.success(.video(BackgroundVideo(shared: shared))))
        return thread
      }
    } catch {
      put(.failure(error))
      return nil
    }
  }
}

/// A background that has been opened: a picture, or a video whose thread runs.
enum OpenedBackground: Sendable {
  case image(BackgroundImage)
  case video(BackgroundVideo)
}
