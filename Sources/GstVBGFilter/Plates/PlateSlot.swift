import GstElementSupport
import VirtualBackground

/// Which background is in use, which one is being loaded, and which one turned out not to work.
///
/// A background that does not work leaves in place what was shown before it. Used on the streaming
/// thread.
struct PlateSlot {
  private var inUse: PlateRequest?
  /// Of a video in use.
  private var feed: PlateFeed?
  private var clock = BackgroundClock()
  private var asked: PlateRequest?
  private var refused: (path: String?, fault: ElementFault)?

  /// The result of `update`.
  struct Outcome {
    /// The effect to show in this frame; missing when there is neither a plate nor an older effect.
    var readiness: Readiness<EffectSettings.Effect, ElementFault>
    /// A plate to use from now on.
    var delivery: Plate?
    /// Why the background that was asked for is not shown, or not any further.
    var warning: ElementFault?
    /// What is worth a line in the log.
    var note: String?
  }

  /// Notes that the picture is let through: a refused background is tried again when it is asked for
  /// next, a video stands still.
  mutating func pause() {
    refused = nil
    clock.noteJump()
  }

  /// Notes that the next frame does not follow the last one: a video goes on from where it is.
  mutating func noteJump() {
    clock.noteJump()
  }

  /// Forgets the plate: no background is wanted any more.
  ///
  /// Returns whether there was one in use.
  mutating func clear(loader: ResourceLoader) -> Bool {
    withdraw(from: loader)
    refused = nil
    feed = nil
    defer { inUse = nil }
    return inUse != nil
  }

  /// Brings the slot in line with the settings, in which a background is wanted, for a frame at
  /// `time`, its running time in nanoseconds if it has one.
  ///
  /// While it loads, the background in use or else the effect of the frame `before` goes on. Waits for
  /// the loader when there is neither.
  mutating func update(
    settings: Settings, format: FrameFormat, time: UInt64?, before: EffectSettings.Effect?,
    loader: ResourceLoader
  ) -> Outcome {
    clock.advance(to: time)
    var outcome = load(settings: settings, format: format, before: before, loader: loader)
    if let feed {
      outcome.delivery = feed.takePlate(at: clock.position)
      let news = feed.takeNews()
      outcome.note = news.note
      if let fault = news.fault { outcome.warning = ElementFault(fault) }
    }
    return outcome
  }

  private mutating func load(
    settings: Settings, format: FrameFormat, before: EffectSettings.Effect?,
    loader: ResourceLoader
  ) -> Outcome {
    var outcome = Outcome(readiness: .ready(.replace))
    if let refused, refused.path != settings.backgroundPath { self.refused = nil }
    while true {
      if refused == nil, settings.backgroundPath == nil {
        refused = (nil, .noBackgroundPath)
        outcome.warning = .noBackgroundPath
      }
      guard let path = refused == nil ? settings.backgroundPath : inUse?.path else {
        withdraw(from: loader)
        outcome.readiness = standIn(before, format).map(Readiness.ready) ?? missing
        return outcome
      }
      let request = PlateRequest(
        path: path,
        specification: PlateSpecification(
          format: format, fit: settings.fit, backgroundColor: settings.backgroundColor))
      if request == inUse {
        withdraw(from: loader)
        return outcome
      }
      let standIn = standIn(before, format)
      switch fetch(request, loader, wait: standIn == nil) {
      case .success(let background):
        inUse = request
        switch background {
        case .still(let plate):
          feed = nil
          outcome.delivery = plate
        case .moving(let new):
          if !new.isOfSameVideo(as: feed) { clock.restart() }
          feed = new
        }
        return outcome
      case .failure(let error):
        if inUse?.path == request.path {
          inUse = nil
          feed = nil
        }
        refused = (settings.backgroundPath, ElementFault(error))
        outcome.warning = ElementFault(error)
      case nil:
        outcome.readiness = standIn.map(Readiness.ready) ?? .interrupted
        return outcome
      }
    }
  }

  private var missing: Readiness<EffectSettings.Effect, ElementFault> {
    .missing(refused?.fault ?? .noBackgroundPath)
  }

  /// What goes on until there is a plate.
  private func standIn(
    _ before: EffectSettings.Effect?, _ format: FrameFormat
  ) -> EffectSettings.Effect? {
    if inUse?.specification.format == format { return .replace }
    return before == .replace ? nil : before
  }

  private mutating func fetch(
    _ request: PlateRequest, _ loader: ResourceLoader, wait: Bool
  ) -> Result<LoadedBackground, BackgroundError>? {
    if asked != request {
      asked = request
      loader.submit { $0.ask(for: request) }
    }
    let answer =
      wait ? loader.wait { $0.takePlate() } : loader.fetch { $0.takePlate() }
    if answer != nil { asked = nil }
    return answer
  }

  private mutating func withdraw(from loader: ResourceLoader) {
    guard asked != nil else { return }
    asked = nil
    loader.submit { $0.cancelPlate() }
  }
}
