import CGStreamer
import Compositing
import GstElementSupport
import Matting
import OpenVINOInference
import PersonSelection
import PixelTypes
import Threads
import VirtualBackground

// Updates of the network, the face finder and the background for the settings of the frame. A
// result is nil if the wait for it was interrupted, because the stream is flushed or stops.

/// A face finder, created on the loading thread.
///
/// Sendable because only one thread at a time uses it: the loading thread until it is loaded, then
/// the streaming thread, or the side thread during a job.
struct LoadedFaces: @unchecked Sendable {
  let finder: any FaceFinder
}

/// Loads a face finder from the networks in a folder.
typealias FaceLoader = Loader<String, LoadedFaces, SegmentationError>

extension FaceLoader {
  /// Creates a loader of face finders that run on the CPU.
  ///
  /// A search takes less than a millisecond.
  convenience init(on thread: LoadingThread, waking wait: StreamWait) {
    self.init(on: thread, waking: wait) { (modelsFolder, _) throws(SegmentationError) in
      LoadedFaces(
        finder: TwoNetworkFaceFinder(
          try FaceDetector(modelsFolder: modelsFolder),
          halfHidden: try HalfHiddenFaces(modelsFolder: modelsFolder)))
    }
  }
}

extension VBGFilterStream {
  /// Updates the network, and returns whether it can be used.
  func updateNetwork(for format: FrameFormat) -> Result<Void, SegmentationError>? {
    let settings = frame.settings
    let controller = updateLoadController()
    let candidate = controller.candidate
    let quality = candidate ?? controller.level.quality
    let upright = format.upright
    let outcome = networkSlot.update(
      wanted: NetworkRequest(
        settings, quality: quality, device: settingsAtStart.device,
        threads: settingsAtStart.threads, frameWidth: upright.width, frameHeight: upright.height,
        isMeasured: candidate != nil)
    ) { candidate == nil || adopt($0, by: controller) }
    if let network = outcome.delivery {
      engine.use(network.segmenters)
      inferenceLatency = InferenceLatency()
      statistics.model = network.path
      statistics.quality = network.quality?.rawValue ?? "model"
      bus.log(GST_LEVEL_INFO, "using \(network.path)")
      for reason in network.fallbackReasons { bus.log(GST_LEVEL_WARNING, reason) }
      warnOfCheaperNetwork(network, wanted: quality)
      // Discard the load so far, which belongs to the previous network. `restart` also ignores the
      // first frames with the new one, which are not representative.
      controller.restart(at: clock.time())
      warnOfUnsupportedSubjects(of: network)
    }
    if let warning = outcome.warning {
      if candidate == nil {
        bus.postWarning(ElementFault(warning, for: settings))
      } else {
        bus.log(GST_LEVEL_WARNING, warning.description)
        controller.rejectCandidate(at: clock.time())
      }
    }
    return outcome.readiness
  }

  /// Decides whether to use the network that was loaded for the controller's candidate.
  private func adopt(_ network: LoadedNetwork, by controller: LoadController) -> Bool {
    let isAdopted = controller.adopt(network.quality, cost: network.cost, at: clock.time())
    let milliseconds = (network.cost?.time ?? 0) / 1_000_000
    bus.log(
      GST_LEVEL_INFO,
      "load: an inference of \(network.path) takes \(milliseconds) ms: it is "
        + "\(isAdopted ? "" : "not ")used")
    return isAdopted
  }

  /// Warns that a cheaper network than requested is in use.
  private func warnOfCheaperNetwork(_ network: LoadedNetwork, wanted: Quality) {
    guard let quality = network.quality, frame.settings.model == nil, quality < wanted else {
      return
    }
    let reason = network.fallbackReasons.first ?? "\(network.path) is used"
    let fault = ElementFault.resource(
      GST_RESOURCE_ERROR_NOT_FOUND,
      "\(reason)\(reason.hasSuffix(".") ? "" : ".") For quality=\(wanted), install its "
        + "network, for example with the package gstreamer1.0-vbgfilter-models-gpl. To keep the "
        + "current network without this warning, set quality=\(quality).")
    warn(fault.refusing("quality", wanted.rawValue), about: .quality)
  }

  /// Warns that a network cannot choose its subjects.
  private func warnOfUnsupportedSubjects(of network: LoadedNetwork) {
    let names = network.unsupportedSubjects?.names.joined(separator: ",")
    let fault = names.map { names in
      ElementFault.resource(
        GST_RESOURCE_ERROR_SETTINGS,
        "\(network.path) has no classes: subjects=\(names) has no effect. Set model to a network "
          + "with classes."
      ).refusing("subjects", names)
    }
    warn(fault, about: .subjects)
  }

  /// Loads the face finder if `keep` selects a person, and warns once if loading fails.
  ///
  /// Waits for it, because without the face finder the frame would also show people next to the
  /// selected person. Returns false if the wait was interrupted.
  func updateFaces() -> Bool {
    let keep = frame.settings.matte.keep
    guard keep != .everyone, faces == nil else { return true }
    faces = faceLoader.fetch(modelsFolder, waits: true)
    switch faces {
    case .success(let loaded): engine.use(loaded.finder)
    case .failure(let error):
      let cause = "\(error)\(error.description.hasSuffix(".") ? "" : ".")"
      let text =
        "\(cause) Without face detection keep=\(keep.nick) cannot separate people who touch: they "
        + "are shown together."
      bus.postWarning(
        ElementFault(SegmentationError(error.kind, text)).refusing("keep", keep.nick))
    case nil: return false
    }
    return true
  }

  /// Updates the background, and returns the effect to show.
  func updateEffect(for format: FrameFormat) -> Result<EffectSettings.Effect, ElementFault>? {
    guard frame.settings.wantsPlate else {
      if plateSlot.clear() { engine.use(nil as Plate?) }
      switch frame.settings.effect {
      case .color: return .success(.color)
      case .transparent: return .success(transparentEffect)
      case .matte: return .success(.matte)
      case .none: return .success(.none)
      case .auto, .blur, .replace: return .success(.blur)
      }
    }
    let outcome = plateSlot.update(
      settings: frame.settings, format: format, time: frame.runningTime, before: lastEffect)
    if let plate = outcome.delivery { engine.use(plate, isNextPicture: outcome.isNextPicture) }
    if let note = outcome.note { bus.log(GST_LEVEL_INFO, note) }
    // If the caller posts this fault as an error that ends the stream, do not warn too.
    if case .failure = outcome.readiness, !hasForwardedRawFrames { return outcome.readiness }
    if let warning = outcome.warning { bus.postWarning(warning) }
    return outcome.readiness
  }

  /// The effect for effect=transparent: `color` if the negotiated format has no alpha.
  private var transparentEffect: EffectSettings.Effect {
    if output?.picture?.format.hasAlpha == true {
      warn(nil, about: .alpha)
      return .transparent
    }
    // If the aim is not alpha, the effect was set after the format of this frame was negotiated.
    // In that case keep the last effect until the next negotiation.
    guard aim == .alpha else { return lastEffect ?? .color }
    warn(.noAlpha, about: .alpha)
    return .color
  }
}
