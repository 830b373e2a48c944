import VirtualBackground

/// Which plate is in use, which one is being loaded, and which image turned out not to work.
///
/// An image that does not work leaves in place what was shown before it. Used on the streaming
/// thread.
struct PlateSupply {
  private var inUse: PlateRequest?
  private var asked: PlateRequest?
  private var refused: (path: String?, fault: ElementFault)?

  /// What came of a look at the supply.
  struct Outcome {
    /// The effect to show in this frame; missing when there is neither a plate nor an older effect.
    var readiness: Readiness<EffectSettings.Effect, ElementFault>
    /// A plate to use from now on.
    var delivery: Plate?
    /// Why the image that was asked for is not shown.
    var warning: ElementFault?
  }

  /// Tries a refused image again when it is asked for next.
  mutating func forgetRefusal() {
    refused = nil
  }

  /// Forgets the plate: no image is wanted any more.
  ///
  /// Returns whether there was one in use.
  mutating func clear(loader: ResourceLoader) -> Bool {
    withdraw(from: loader)
    refused = nil
    defer { inUse = nil }
    return inUse != nil
  }

  /// Brings the supply in line with the settings, in which an image is wanted.
  ///
  /// While it loads, the plate in use or else the effect of the frame `before` goes on. Waits for
  /// the loader when there is neither.
  mutating func update(
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
        path: path, format: format, fit: settings.fit, backgroundColor: settings.backgroundColor)
      if request == inUse {
        withdraw(from: loader)
        return outcome
      }
      let standIn = standIn(before, format)
      switch fetch(request, loader, wait: standIn == nil) {
      case .success(let plate):
        inUse = request
        outcome.delivery = plate
        return outcome
      case .failure(let error):
        if inUse?.path == request.path { inUse = nil }
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
    if inUse?.format == format { return .replace }
    return before == .replace ? nil : before
  }

  private mutating func fetch(
    _ request: PlateRequest, _ loader: ResourceLoader, wait: Bool
  ) -> Result<Plate, BackgroundError>? {
    if asked != request {
      asked = request
      loader.submit { $0.plate.ask(for: request) }
    }
    let answer =
      wait ? loader.wait { $0.plate.takeAnswer() } : loader.fetch { $0.plate.takeAnswer() }
    if answer != nil { asked = nil }
    return answer
  }

  private mutating func withdraw(from loader: ResourceLoader) {
    guard asked != nil else { return }
    asked = nil
    loader.submit { $0.plate.cancel() }
  }
}
