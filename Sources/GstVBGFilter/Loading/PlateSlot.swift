import Compositing
import GstBackground
import GstElementSupport
import PixelTypes
import VirtualBackground

/// The background in use, the one that is being loaded, and the last one that failed.
///
/// If a background does not work, the previous one stays in place. Used on the streaming thread.
struct PlateSlot {
  private let loader: BackgroundLoader
  private var inUse: PlateRequest?
  private var player = BackgroundPlayer()
  private var asked: PlateRequest?
  private var refused: (location: String?, fault: ElementFault)?

  /// The result of `update`.
  struct Outcome {
    /// The effect to show in this frame.
    ///
    /// It is missing if there is neither a plate nor an older effect.
    var readiness: Readiness<EffectSettings.Effect, ElementFault>
    /// A plate to use from now on.
    var delivery: Plate?
    /// The reason why the requested background is not shown, or no longer shown.
    var warning: ElementFault?
    /// A note for the log.
    var note: String?
  }

  /// Uses no background yet.
  ///
  /// `loader` belongs to the slot.
  init(_ loader: BackgroundLoader) {
    self.loader = loader
  }

  /// Ends all loading, and abandons a background that is being opened.
  func end() { loader.end() }

  /// The path or URI of the background in use, or nil if there is none.
  var location: String? { inUse?.location }

  /// Notes that frames are passed through.
  ///
  /// A refused background is then retried at its next request. A video stands still.
  mutating func pause() {
    refused = nil
    player.recordJump()
  }

  /// Notes that the next frame does not follow the last one.
  ///
  /// A video continues from its position.
  mutating func recordJump() {
    player.recordJump()
  }

  /// Drops the plate because no background is needed any more.
  ///
  /// Returns whether there was one in use.
  mutating func clear() -> Bool {
    withdraw()
    refused = nil
    player.clear()
    defer { inUse = nil }
    return inUse != nil
  }

  /// Updates the slot for settings that need a background, and for the next frame.
  ///
  /// `time` is the frame's running time in nanoseconds, if it has one. While the background loads,
  /// the one in use continues, or else `before`, the effect of the previous frame. Waits for the
  /// loader if there is neither.
  mutating func update(
    settings: Settings, format: FrameFormat, time: UInt64?, before: EffectSettings.Effect?
  ) -> Outcome {
    player.advance(to: time)
    var outcome = load(settings: settings, format: format, before: before)
    if let plate = player.consumePlate() { outcome.delivery = plate }
    let news = player.consumeNews()
    outcome.note = news.note
    if let fault = news.fault { outcome.warning = ElementFault(fault) }
    return outcome
  }

  private mutating func load(
    settings: Settings, format: FrameFormat, before: EffectSettings.Effect?
  ) -> Outcome {
    var outcome = Outcome(readiness: .ready(.replace))
    if let refused, refused.location != settings.backgroundPath { self.refused = nil }
    while true {
      if refused == nil, settings.backgroundPath == nil {
        refused = (nil, .noBackgroundPath)
        outcome.warning = .noBackgroundPath
      }
      guard let location = refused == nil ? settings.backgroundPath : inUse?.location else {
        withdraw()
        outcome.readiness = standIn(before, format).map(Readiness.ready) ?? missing
        return outcome
      }
      let request = PlateRequest(
        location: location,
        specification: PlateSpecification(
          format: format, fit: settings.fit, backgroundColor: settings.backgroundColor))
      if request == inUse {
        withdraw()
        return outcome
      }
      let standIn = standIn(before, format)
      switch fetch(request, wait: standIn == nil) {
      case .success(let background):
        inUse = request
        outcome.delivery = player.show(background)
        return outcome
      case .failure(let error):
        if inUse?.location == request.location {
          inUse = nil
          player.clear()
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

  /// The effect to continue with until there is a plate.
  private func standIn(
    _ before: EffectSettings.Effect?, _ format: FrameFormat
  ) -> EffectSettings.Effect? {
    if inUse?.specification.format == format { return .replace }
    return before == .replace ? nil : before
  }

  private mutating func fetch(
    _ request: PlateRequest, wait: Bool
  ) -> Result<LoadedBackground, BackgroundError>? {
    if asked != request {
      asked = request
      loader.request(request)
    }
    let answer = wait ? loader.wait() : loader.poll()
    if answer != nil { asked = nil }
    return answer
  }

  private mutating func withdraw() {
    guard asked != nil else { return }
    asked = nil
    loader.withdraw()
  }
}
