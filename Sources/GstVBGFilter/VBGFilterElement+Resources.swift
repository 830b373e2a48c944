import CGStreamer
import Compositing
import GstElementSupport
import InferenceTypes
import OpenVINOInference
import PixelTypes
import VirtualBackground

// Updates of the network, the face finder and the background, on the streaming thread.

extension VBGFilterElement {
  /// Updates the network for the settings of a frame, and returns whether it can be used.
  func updateNetwork(
    for frame: FrameContext, _ format: FrameFormat, _ state: ElementState
  ) -> Readiness<Void, SegmentationError> {
    let controller = loadController(for: frame.settings, state)
    let candidate = controller.candidate
    let quality = candidate ?? controller.level.quality
    let upright = format.upright
    let outcome = state.networkSlot.update(
      wanted: NetworkRequest(
        frame.settings, quality: quality, device: state.device, threads: state.threads,
        frameWidth: upright.width, frameHeight: upright.height, isMeasured: candidate != nil)
    ) { network in
      candidate == nil || adopt(network, by: controller, at: state.clock.time())
    }
    if let network = outcome.delivery {
      state.engine.use(network.segmenters)
      state.inferenceLatency = InferenceLatency()
      state.statistics.model = network.path
      state.statistics.quality = network.quality?.rawValue ?? "model"
      bus.log(GST_LEVEL_INFO, "using \(network.path)")
      for reason in network.fallbackReasons { bus.log(GST_LEVEL_WARNING, reason) }
      warnOfCheaperNetwork(network, wanted: quality, of: frame.settings, state)
      // Discard the load so far, which belongs to the previous network. `restart` also ignores the
      // first frames with the new one, which are not representative.
      controller.restart(at: state.clock.time())
      warnOfUnsupportedSubjects(of: network, state)
    }
    if let warning = outcome.warning {
      if candidate == nil {
        bus.postWarning(ElementFault(warning, for: frame.settings))
      } else {
        bus.log(GST_LEVEL_WARNING, warning.description)
        controller.rejectCandidate(at: state.clock.time())
      }
    }
    return outcome.readiness
  }

  /// Decides whether to use the network that was loaded for the controller's candidate.
  private func adopt(
    _ network: LoadedNetwork, by controller: LoadController, at time: UInt64
  ) -> Bool {
    let isAdopted = controller.adopt(network.quality, cost: network.cost, at: time)
    let milliseconds = (network.cost?.time ?? 0) / 1_000_000
    bus.log(
      GST_LEVEL_INFO,
      "load: an inference of \(network.path) takes \(milliseconds) ms: it is "
        + "\(isAdopted ? "" : "not ")used")
    return isAdopted
  }

  /// Loads the face finder if `keep` selects a person, and warns once if loading fails.
  ///
  /// Waits for it, because without the face finder the frame would also show people next to the
  /// selected person.
  func updateFaces(
    for frame: FrameContext, _ state: ElementState
  ) -> Readiness<Void, SegmentationError> {
    guard frame.settings.matte.keep != .everyone else { return .ready(()) }
    if let error = state.facesError { return .missing(error) }
    if state.hasFaces { return .ready(()) }
    switch state.faceLoader.fetch(state.modelsFolder, waits: true) {
    case .success(let loaded):
      state.hasFaces = true
      state.engine.use(loaded.finder)
      return .ready(())
    case .failure(let error):
      state.facesError = error
      warnOfMissingFaces(error, keep: frame.settings.matte.keep.nick)
      return .missing(error)
    case nil: return .interrupted
    }
  }

  private func warnOfMissingFaces(_ error: SegmentationError, keep: String) {
    let cause = "\(error)\(error.description.hasSuffix(".") ? "" : ".")"
    bus.postWarning(
      ElementFault(
        SegmentationError(
          error.kind,
          "\(cause) Without face detection keep=\(keep) cannot separate people who touch: they "
            + "are shown together."
        )
      ).refusing("keep", keep))
  }

  /// Warns that a cheaper network than requested is in use.
  ///
  /// Does not repeat the warning when only the frame size changes.
  private func warnOfCheaperNetwork(
    _ network: LoadedNetwork, wanted: Quality, of settings: Settings, _ state: ElementState
  ) {
    guard let quality = network.quality, settings.model == nil, quality < wanted else {
      return
    }
    defer { state.lastCheaperNetwork = (wanted, network.path) }
    if let last = state.lastCheaperNetwork, last == (wanted, network.path) { return }
    let reason = network.fallbackReasons.first ?? "\(network.path) is used"
    bus.postWarning(
      .resource(
        GST_RESOURCE_ERROR_NOT_FOUND,
        "\(reason)\(reason.hasSuffix(".") ? "" : ".") For quality=\(wanted), install its "
          + "network, for example with the package gstreamer1.0-vbgfilter-models-gpl. To keep the "
          + "current network without this warning, set quality=\(quality)."
      ).refusing("quality", wanted.rawValue))
  }

  /// Warns that a network cannot choose its subjects.
  ///
  /// Does not repeat the warning when only the frame size changes.
  private func warnOfUnsupportedSubjects(of network: LoadedNetwork, _ state: ElementState) {
    defer { state.lastUnsupportedSubjects = network.unsupportedSubjects.map { (network.path, $0) } }
    guard let subjects = network.unsupportedSubjects else { return }
    if let last = state.lastUnsupportedSubjects, last == (network.path, subjects) { return }
    bus.postWarning(
      .resource(
        GST_RESOURCE_ERROR_SETTINGS,
        "\(network.path) has no classes: subjects=\(subjects.names.joined(separator: ",")) "
          + "has no effect. Set model to a network with classes."
      ).refusing("subjects", subjects.names.joined(separator: ",")))
  }

  /// Updates the background for the settings of a frame, and returns the effect to show.
  func updateEffect(
    for frame: FrameContext, _ format: FrameFormat, _ state: ElementState
  ) -> Readiness<EffectSettings.Effect, ElementFault> {
    guard frame.settings.wantsPlate else {
      if state.plateSlot.clear() { state.engine.use(nil as Plate?) }
      switch frame.settings.effect {
      case .color: return .ready(.color)
      case .transparent: return .ready(transparentEffect(state))
      case .matte: return .ready(.matte)
      case .none: return .ready(.none)
      case .auto, .blur, .replace: return .ready(.blur)
      }
    }
    let outcome = state.plateSlot.update(
      settings: frame.settings, format: format, time: frame.runningTime,
      before: state.lastEffect)
    if let plate = outcome.delivery {
      state.engine.use(plate, isNextPicture: outcome.isNextPicture)
    }
    if let note = outcome.note { bus.log(GST_LEVEL_INFO, note) }
    if let warning = outcome.warning {
      // The caller posts this fault as an error that ends the stream, so do not warn too.
      if case .missing = outcome.readiness, !state.hasForwardedRawFrames {
        return outcome.readiness
      }
      bus.postWarning(warning)
    }
    return outcome.readiness
  }

  /// Returns the effect for effect=transparent: `color` if the negotiated format has no alpha.
  private func transparentEffect(_ state: ElementState) -> EffectSettings.Effect {
    if state.output?.picture?.format.hasAlpha == true {
      state.hasWarnedOfAlpha = false
      return .transparent
    }
    // If the aim is not alpha, the effect was set after the format of this frame was negotiated.
    // In that case keep the last effect until the next negotiation.
    guard state.aim == .alpha else { return state.lastEffect ?? .color }
    if !state.hasWarnedOfAlpha {
      state.hasWarnedOfAlpha = true
      bus.postWarning(
        .resource(
          GST_RESOURCE_ERROR_SETTINGS,
          "effect=transparent shows background-color: downstream does not accept alpha. Put an "
            + "element that takes RGBA after this one. If that is a compositor, put "
            + "\"! videoconvert\" after the compositor."))
    }
    return .color
  }
}
