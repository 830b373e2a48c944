import CGStreamer
import Compositing
import GStreamerVideo
import GstBackground
import GstElementSupport
import InferenceTypes
import Matting
import OpenVINOInference
import PixelTypes
import Processor
import Synchronization
import Threads
import VirtualBackground

/// The object behind an element: its properties and its life cycle.
///
/// Extensions process the frames. The GObject owns this object. `settings`, `statistics`,
/// `publishedState`, `lateness`, `latency` and `streamWait` may be used on any thread. `state` is
/// created and released while nothing streams, and is used only on the streaming thread in between.
@safe final class VBGFilterElement: ElementObject {
  let base: BaseTransform
  let bus: ElementBus
  let settings = Monitor(Settings())
  let statistics = Monitor(Statistics())
  /// The values of the read-only properties except `stats`.
  let publishedState = Monitor(PublishedState())
  let lateness = Monitor(Lateness())
  /// The latency that the element reports, in nanoseconds.
  let latency = Atomic<UInt64>(0)
  /// The wait of the streaming thread for a network or a background.
  let streamWait = StreamWait()
  /// The thread that loads networks and backgrounds, from start to stop.
  private var loadingThread: LoadingThread?
  private let backgroundThreads = BackgroundThreads()
  /// The loader that reads models.
  ///
  /// Tests replace it before the element starts.
  var modelLoader: any SegmentationModelLoader = OpenVINOModelLoader()
  /// The time limits for backgrounds.
  ///
  /// Tests replace them before the element starts.
  var backgroundTimeouts = BackgroundTimeouts()
  /// The folder of the networks of all qualities, or nil for the installed networks.
  var modelsFolder: String?
  /// The clock that measures the load.
  ///
  /// Tests replace it before the element starts.
  var clock = LoadClock()

  /// When the mattes of live streams are used.
  ///
  /// Tests replace it before the element starts.
  var matteArrival = MatteArrival.whenFinished

  /// The state from start to stop, or nil otherwise.
  private(set) var state: ElementState?

  /// Creates the object of an element.
  init(_ base: BaseTransform) {
    self.base = base
    bus = ElementBus(base, category: Self.debugCategory)
  }

  /// Returns the object of an element, or nil for an element of another type.
  ///
  /// Safety: `element` must be alive during the call.
  static func behind(_ element: UnsafeMutablePointer<GstElement>) -> VBGFilterElement? {
    unsafe ElementType.object(behind: element) as? VBGFilterElement
  }

  deinit {
    stop()
  }

  /// Sets a property, given its GObject property ID.
  ///
  /// Never waits for a network or a background.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    unsafe Settings.table.set(id, to: value) { settings.withLock($0) }
  }

  /// Writes the value of a property to `value`, given its GObject property ID.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    _ =
      unsafe Settings.table.get(id, of: settings.current, into: value)
      || Statistics.table.get(id, of: statistics.current, into: value)
      || PublishedState.table.get(id, of: publishedState.current, into: value)
  }

  /// Prepares for a stream.
  ///
  /// Posts an error and returns false if the real background could not be hidden.
  func start() -> Bool {
    let settings = settings.current
    let folder = modelsFolder ?? OpenVINOModelLoader.modelsFolder()
    let networks = NetworkMaker(
      modelLoader: modelLoader, modelsFolder: folder,
      noneInstalled: .noneInstalled(in: folder, named: OpenVINOModelLoader.namedRuntimeFolder()))
    let backgrounds = BackgroundSource(threads: backgroundThreads, timeouts: backgroundTimeouts)
    if let fault = faultAtStart(settings, networks, backgrounds) {
      bus.postError(fault)
      return false
    }
    networks.clock = clock
    let installedQualities = networks.installedQualities()
    streamWait.begin()
    let loadingThread = LoadingThread("vbgfilter-load")
    self.loadingThread = loadingThread
    // Create the network loader first, because no frame can be sent without a network.
    let networkLoader = networks.makeLoader(on: loadingThread, waking: streamWait)
    let faceLoader = FaceLoader(on: loadingThread, waking: streamWait)
    let backgroundLoader = backgrounds.makeLoader(on: loadingThread, waking: streamWait)
    if !settings.isNeutral {
      // Load the network while the source starts and the format is negotiated.
      let expected = expectedNetwork(settings, networks)
      networkLoader.runWhenIdle { networks.prepareNetwork(expected, $0) }
    }
    statistics.withLock { $0 = Statistics() }
    lateness.withLock { $0 = Lateness() }
    latency.store(0, ordering: .relaxed)
    state = ElementState(
      settings: settings, clock: clock, installedQualities: installedQualities,
      networkSlot: NetworkSlot(networkLoader), faceLoader: faceLoader, modelsFolder: folder,
      plateSlot: PlateSlot(backgroundLoader), arrival: matteArrival)
    bus.log(GST_LEVEL_DEBUG, "started with \(settings.shown)")
    return true
  }

  /// Releases everything that `start` and the stream created.
  func stop() {
    state?.plateSlot.end()
    state?.faceLoader.end()
    state?.networkSlot.end()
    loadingThread?.end()
    loadingThread = nil
    state = nil
    show(PublishedState())
    // Most threads end at once. Do not wait longer, because a decoder may hang.
    backgroundThreads.waitForEnd(upTo: .milliseconds(300))
  }

  func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    if transition == GST_STATE_CHANGE_PAUSED_TO_READY { interrupt() }
    return base.changeState(transition)
  }

  /// Ends the streaming thread's wait for a network or a background, because the stream stops.
  func interrupt() {
    streamWait.stop()
  }

  func setCaps(input: CapsPointer, output: CapsPointer) -> Bool {
    guard unsafe base.setCaps(input: input, output: output) else { return false }
    // Not in `setInfo`, because GstVideoFilter sets the in-place mode after that.
    base.setInPlace(state?.output == nil)
    return true
  }

  /// Sets the format of the following frames.
  ///
  /// Returns false if the real background cannot be hidden in frames of this format.
  func setInfo(_ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>) -> Bool {
    guard let state else { return false }
    if let fault = unsafe ElementFault(refusing: input) {
      postRefusal(fault, state)
      return false
    }
    guard let format = unsafe FrameFormat(input),
      let inputFormat = unsafe PixelFormat(vbgfilter_video_info_format(input)), inputFormat.isInput,
      let outputFormat = unsafe PixelFormat(vbgfilter_video_info_format(output))
    else {
      bus.log(GST_LEVEL_ERROR, "the caps do not match the pad templates")
      return false
    }
    // The last result has another format.
    state.lastResult.reset()
    state.engine.frameDuration = unsafe frameDuration(input)
    let isInPlace = inputFormat == outputFormat
    let outputMapping =
      unsafe isInPlace ? nil : BufferMapping(info: output, format: outputFormat)
    if unsafe state.isConfigured(for: input) {
      state.output = outputMapping
    } else {
      guard SpareMemory.isThere(for: VirtualBackgroundEngine.memory(for: format)) else {
        postRefusal(.noMemory(for: format), state)
        return false
      }
      let adapter =
        inputFormat == .nv12
        ? nil
        : NV12Adapter(
          inputFormat, format: format,
          threads: state.inferenceThreads,
          helperTime: state.engine.helperTime)
      state.configure(
        format,
        mapping: unsafe FrameMapping(
          BufferMapping(info: input, format: inputFormat), adapter: adapter),
        output: outputMapping)
    }
    state.refusal = nil
    // Set this now: the base class chooses the memory of the frames before the first one arrives.
    base.isPassthrough = isInPlace && state.frame.settings.isNeutral
    bus.log(
      GST_LEVEL_INFO,
      "frames are \(format.width)x\(format.height), \(inputFormat) to \(outputFormat), "
        + "\(format.colorimetry); kernels: \(InstructionSet.current.rawValue)")
    return true
  }

  /// Posts the error for refused caps.
  ///
  /// The base class negotiates again for each frame, so the same error is posted only once.
  private func postRefusal(_ fault: ElementFault, _ state: ElementState) {
    if state.refusal != fault.text { bus.postError(fault) }
    state.refusal = fault.text
  }

  /// Updates the state from a downstream event.
  func see(_ event: EventPointer) {
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_FLUSH_START:
      // The event arrives on another thread, and the streaming thread may be waiting.
      streamWait.setFlushing(true)
    case GST_EVENT_FLUSH_STOP:
      streamWait.setFlushing(false)
      state?.needsHistoryReset = true
      state?.plateSlot.recordJump()
    case GST_EVENT_STREAM_START:
      state?.needsHistoryReset = true
      // Another source may have been linked.
      state?.isLive = nil
      unsafe state?.taggedOrientation.record(event)
    case GST_EVENT_SEGMENT:
      state?.needsHistoryReset = true
    case GST_EVENT_TAG:
      unsafe state?.taggedOrientation.record(event)
    default:
      break
    }
  }

  /// Returns the reason why the real background could not be hidden in the stream.
  ///
  /// Returns nil if it can be hidden, or if the settings do not hide it.
  private func faultAtStart(
    _ settings: Settings, _ networks: NetworkMaker, _ backgrounds: BackgroundSource
  ) -> ElementFault? {
    if settings.isNeutral { return nil }
    if settings.wantsPlate, settings.backgroundPath == nil { return .noBackgroundPath }
    do throws(SegmentationError) {
      try networks.readModel(for: expectedNetwork(settings, networks))
    } catch {
      return ElementFault(error, for: settings)
    }
    // Do not wait for a server here, because nothing could interrupt the wait.
    guard settings.wantsPlate, let path = settings.backgroundPath, BackgroundSource.isLocal(path)
    else { return nil }
    do throws(BackgroundError) {
      try backgrounds.open(path)
    } catch {
      return ElementFault(error)
    }
    return nil
  }

  /// Returns the request for the network that the stream will probably need.
  ///
  /// Assumes 1280x720, the frame size of most cameras. The real size is known only when caps
  /// arrive. It has little effect on the network, which is then updated.
  private func expectedNetwork(_ settings: Settings, _ networks: NetworkMaker) -> NetworkRequest {
    // If the element chooses the quality, assume a live source, which begins with the cheapest
    // network.
    let quality = settings.choosesQuality ? networks.installedQualities().first : nil
    return NetworkRequest(
      settings, quality: quality ?? settings.quality.quality, device: settings.device,
      threads: settings.threads, frameWidth: 1280, frameHeight: 720)
  }
}
