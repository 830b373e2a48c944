import Compositing
import GstBackground
import GstElementSupport
import PixelTypes
import VirtualBackground

/// Manages the background in use, the one that is being loaded, and the last one that failed.
///
/// If a background cannot be loaded, the previous one stays in use. Used only on the streaming
/// thread.
struct PlateSlot {
  private let loader: BackgroundLoader
  /// The request for the background in use.
  private var inUse: PlateRequest?
  private var player = BackgroundPlayer()
  /// The location and the error of the requested background, if it could not be loaded.
  private var refused: (location: String?, fault: ElementFault)?

  /// The result of `update`.
  struct Outcome {
    /// The effect to show in this frame.
    ///
    /// It is a failure if there is no plate and no previous effect to continue with, and nil if the
    /// wait for the plate was interrupted.
    var readiness: Result<EffectSettings.Effect, ElementFault>? = .success(.replace)
    /// A new plate to use from now on, or nil if the plate does not change.
    var delivery: Plate?
    /// Whether `delivery` is the next picture of a video.
    var isNextPicture = false
    /// The reason why the requested background is not shown, or will not be updated any more.
    var warning: ElementFault?
    /// A note for the log.
    var note: String?
  }

  /// Creates a slot without a background.
  ///
  /// The slot must be the only user of `loader`.
  init(_ loader: BackgroundLoader) {
    self.loader = loader
  }

  /// Ends loading, and abandons a background that is being opened.
  func end() { loader.end() }

  /// The path or URI of the background in use, or nil if there is no background.
  var location: String? { inUse?.location }

  /// Records that frames are passed through.
  ///
  /// The next request loads a background again if it could not be loaded before. A video does not
  /// advance during passthrough.
  mutating func pause() {
    refused = nil
    player.recordJump()
  }

  /// Records that the next frame does not follow the last one.
  ///
  /// A video continues from its current position.
  mutating func recordJump() {
    player.recordJump()
  }

  /// Drops the background because it is no longer needed.
  ///
  /// Returns whether a background was in use.
  mutating func clear() -> Bool {
    loader.withdraw()
    refused = nil
    player.clear()
    defer { inUse = nil }
    return inUse != nil
  }

  /// Requests the background of `settings`, and returns the result for the next frame.
  ///
  /// While the background loads, the background in use continues if it has the format of the frame.
  /// Otherwise the effect `before` continues, the effect of the previous frame. If there is
  /// neither, this method waits for the loader. `time` is the frame's running time in nanoseconds,
  /// if it has one.
  mutating func update(
    settings: Settings, format: FrameFormat, time: UInt64?, before: EffectSettings.Effect?
  ) -> Outcome {
    player.advance(to: time)
    var outcome = load(settings: settings, format: format, before: before)
    if let plate = player.consumePlate() {
      outcome.isNextPicture = outcome.delivery == nil
      outcome.delivery = plate
    }
    let news = player.consumeNews()
    outcome.note = news.note
    if let fault = news.fault { outcome.warning = ElementFault(fault) }
    return outcome
  }

  private mutating func load(
    settings: Settings, format: FrameFormat, before: EffectSettings.Effect?
  ) -> Outcome {
    var outcome = Outcome()
    if let refused, refused.location != settings.backgroundPath { self.refused = nil }
    if refused == nil, settings.backgroundPath == nil {
      refused = (nil, .noBackgroundPath)
      outcome.warning = .noBackgroundPath
    }
    while true {
      let standIn = standIn(before, format)
      guard let location = refused == nil ? settings.backgroundPath : inUse?.location else {
        loader.withdraw()
        outcome.readiness =
          standIn.map(Result.success) ?? .failure(refused?.fault ?? .noBackgroundPath)
        return outcome
      }
      let request = PlateRequest(
        location: location,
        specification: PlateSpecification(
          format: format, fit: settings.fit, backgroundColor: settings.backgroundColor))
      if request == inUse {
        loader.withdraw()
        return outcome
      }
      switch loader.fetch(request, waits: standIn == nil) {
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
        outcome.readiness = standIn.map(Result.success)
        return outcome
      }
    }
  }

  /// Returns the effect to continue with until there is a plate, or nil to wait for the plate.
  private func standIn(
    _ before: EffectSettings.Effect?, _ format: FrameFormat
  ) -> EffectSettings.Effect? {
    if inUse?.specification.format == format { return .replace }
    return before == .replace ? nil : before
  }
}
