import VirtualBackground

/// A background that has been opened: a picture, or a video whose thread is at work.
enum BackgroundSource: Sendable {
  case image(BackgroundImage)
  case video(BackgroundVideo)

  /// Opens what is at a path or URI; see `BackgroundContent.open`.
  ///
  /// Works on a thread of its own, which decodes on if it is a video. The calling thread waits, but not
  /// once `cancellation` says that it need not, nor beyond `patience` if the file system hangs.
  static func open(
    _ location: String, patience: Duration, threads: BackgroundThreads,
    cancellation: Cancellation
  ) throws(BackgroundError) -> BackgroundSource {
    let result = Monitor<Outcome>(.pending)
    let hasStarted = threads.run {
      // What it decodes on after the result is known is not held by it.
      let thread = Self.work(location, patience, result)
      thread?.run()
    }
    guard hasStarted else {
      throw BackgroundError(
        kind: .failed, location: location,
        reason:
          "is not opened: \(BackgroundThreads.most) others still wait for a server or a drive "
          + "that does not answer. They give up after \(patience) at most, unless the drive itself "
          + "hangs; set background-path to another value and back then")
    }
    cancellation.react {
      result.change { if case .pending = $0 { $0 = .cancelled } }
    }
    defer { cancellation.react(nil) }
    // The decoder's own patience begins later.
    let outcome: Outcome? = result.wait(upTo: patience + .seconds(1)) { outcome in
      if case .pending = outcome { return nil }
      defer { outcome = .cancelled }
      return outcome
    }
    switch outcome {
    case .done(let result):
      return try result.get()
    case .cancelled, .pending:
      throw BackgroundError(
        kind: .cancelled, location: location, reason: "is not wanted any more")
    case nil:
      result.change { $0 = .cancelled }
      throw BackgroundError(
        kind: .timedOut, location: location,
        reason: "took more than \(patience) to open; give a local one")
    }
  }

  private enum Outcome: Sendable {
    case pending
    case done(Result<BackgroundSource, BackgroundError>)
    /// Nobody wants it any more.
    case cancelled

    var isCancelled: Bool {
      if case .cancelled = self { return true }
      return false
    }
  }

  /// Opens a background and hands it over; returns what is left to do for a video.
  private static func work(
    _ location: String, _ patience: Duration, _ result: Monitor<Outcome>
  ) -> VideoThread? {
    func put(_ outcome: Result<BackgroundSource, BackgroundError>) {
      result.change { if !$0.isCancelled { $0 = .done(outcome) } }
    }
    do throws(BackgroundError) {
      let content = try BackgroundContent.open(
        location, patience: patience, isCancelled: { result.current.isCancelled })
      switch content {
      case .image(let image):
        put(.success(.image(image)))
        return nil
      case .video(let decoder, let first):
        let desk = Monitor(BackgroundVideo.Desk())
        let thread = VideoThread(decoder, first: first, desk: desk)
        put(.success(.video(BackgroundVideo(desk: desk))))
        return thread
      }
    } catch {
      put(.failure(error))
      return nil
    }
  }
}
