import CGStreamer
import Compositing
import GStreamerVideo
import GstBackground
import GstElementSupport
import InferenceTypes
import OpenVINOInference
import PixelTypes
import Processor
import Synchronization
import Threads
import VirtualBackground

/// The element: its properties and its life cycle, apart from the frames themselves.
///
/// The GObject owns it. `settings`, `statistics`, `publishedState`, `lateness`, `latency` and
/// `streamWait` may be used on any thread. `state` is made and ended while nothing streams, and
/// belongs to the streaming thread in between.
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
  /// Loads networks and backgrounds, and exists from start to stop.
  private var loadingThread: LoadingThread?
  private let backgroundThreads = BackgroundThreads()
  /// Reads models.
  ///
  /// Tests replace it before the element starts.
  var modelLoader: any SegmentationModelLoader = OpenVINOModelLoader()
  /// Tests replace it before the element starts.
  var backgroundTimeouts = BackgroundTimeouts()
  /// The folder of the ladder's networks, or nil for the installed ones.
  var modelsFolder: String?
  /// Tests replace it before the element starts.
  var clock = LoadClock.system

  private(set) var state: ElementState?

  /// Makes the object behind an element.
  init(_ base: BaseTransform) {
    self.base = base
    bus = ElementBus(base, category: Self.debugCategory)
  }

  /// The object behind an element, or nil for an element of another type.
  ///
  /// Safety: `element` lives during the call.
  static func behind(_ element: UnsafeMutablePointer<GstElement>) -> VBGFilterElement? {
    unsafe ElementType.object(behind: element) as? VBGFilterElement
  }

  deinit {
    stop()
  }

  /// Takes over the value of a property.
  ///
  /// Never waits for anything to load.
  func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    unsafe Settings.table.set(id, to: value) { settings.withLock($0) }
  }

  /// Writes the value of a property.
  func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
    _ =
      unsafe Settings.table.get(id, of: settings.current, into: value)
      || Statistics.table.get(id, of: statistics.current, into: value)
      || PublishedState.table.get(id, of: publishedState.current, into: value)
  }

  /// Gets ready for a stream.
  ///
  /// Returns false, with an error on the bus, if the room could not be hidden.
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
    // First the networks: without one nothing goes out.
    let networkLoader = networks.makeLoader(on: loadingThread, waking: streamWait)
    let faceLoader = FaceSlot.makeLoader(on: loadingThread, waking: streamWait)
    let backgroundLoader = backgrounds.makeLoader(on: loadingThread, waking: streamWait)
    if !settings.isNeutral {
      // While the source gets ready and the format is negotiated.
      let expected = expectedNetwork(settings, networks)
      networkLoader.runWhenIdle { networks.prepareNetwork(expected, $0) }
    }
    statistics.withLock { $0 = Statistics() }
    lateness.withLock { $0 = Lateness() }
    latency.store(0, ordering: .relaxed)
    state = ElementState(
      settings: settings, clock: clock, installedQualities: installedQualities,
      networkSlot: NetworkSlot(networkLoader),
      faceSlot: FaceSlot(faceLoader, modelsFolder: folder), plateSlot: PlateSlot(backgroundLoader))
    bus.log(GST_LEVEL_DEBUG, "started with \(settings.shown)")
    return true
  }

  /// Releases everything that `start` and the stream took.
  func stop() {
    state?.plateSlot.end()
    state?.faceSlot.end()
    state?.networkSlot.end()
    loadingThread?.end()
    loadingThread = nil
    state = nil
    show(PublishedState())
    // Most are done at once. A decoder that hangs is not waited for.
    backgroundThreads.waitForEnd(upTo: .milliseconds(300))
  }

  func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    if transition == GST_STATE_CHANGE_PAUSED_TO_READY { interrupt() }
    return base.changeState(transition)
  }

  /// Wakes the streaming thread if it waits for something to load: the stream stops.
  func interrupt() {
    streamWait.stop()
  }

  func setCaps(input: CapsPointer, output: CapsPointer) -> Bool {
    guard unsafe base.setCaps(input: input, output: output) else { return false }
    // Not in `setInfo`: after that GstVideoFilter decides again.
    base.setInPlace(state?.output == nil)
    return true
  }

  /// Sets the format of the following frames.
  ///
  /// Returns false if the room cannot be hidden in them.
  func setInfo(_ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>) -> Bool {
    guard let state else { return false }
    if let fault = unsafe ElementFault(refusing: input) {
      // The base class asks again with each frame that comes.
      if state.refusal != fault.text { bus.postError(fault) }
      state.refusal = fault.text
      return false
    }
    state.refusal = nil
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
        bus.postError(.noMemory(for: format))
        return false
      }
      let adapter =
        inputFormat == .nv12
        ? nil
        : NV12Adapter(
          inputFormat, format: format, kernels: InstructionSet.current.kernels,
          threads: state.inferenceThreads,
          helperTime: state.engine.helperTime)
      state.configure(
        format,
        mapping: unsafe FrameMapping(
          BufferMapping(info: input, format: inputFormat), adapter: adapter),
        output: outputMapping)
    }
    // The base class decides about the memory of the frames before the first one comes.
    base.isPassthrough = isInPlace && state.frame.settings.isNeutral
    bus.log(
      GST_LEVEL_INFO,
      "frames are \(format.width)x\(format.height), \(inputFormat) to \(outputFormat), "
        + "\(format.colorimetry); kernels: \(InstructionSet.current.rawValue)")
    return true
  }

  /// Notes an event on its way downstream.
  func see(_ event: EventPointer) {
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_FLUSH_START:
      // It comes on another thread, while the streaming thread may be waiting.
      streamWait.setFlushing(true)
    case GST_EVENT_FLUSH_STOP:
      streamWait.setFlushing(false)
      state?.needsHistoryReset = true
      state?.plateSlot.recordJump()
    case GST_EVENT_STREAM_START:
      state?.needsHistoryReset = true
      unsafe state?.taggedOrientation.record(event)
    case GST_EVENT_SEGMENT:
      state?.needsHistoryReset = true
    case GST_EVENT_TAG:
      unsafe state?.taggedOrientation.record(event)
    default:
      break
    }
  }

  /// The reason why the room could not be hidden once frames come, or nil if it can, or need not.
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
    // A server is not waited for here, because nothing could interrupt the wait.
    guard settings.wantsPlate, let path = settings.backgroundPath, BackgroundSource.isLocal(path)
    else { return nil }
    do throws(BackgroundError) {
      try backgrounds.open(path)
    } catch {
      return ElementFault(error)
    }
    return nil
  }

  /// The network for the frame size of most cameras.
  ///
  /// The real size is not known before the caps. It matters little, and the network is updated for
  /// it later.
  private func expectedNetwork(_ settings: Settings, _ networks: NetworkMaker) -> NetworkRequest {
    // If the element chooses the quality, the source is usually live.
    let quality = settings.choosesQuality ? networks.installedQualities().first : nil
    return NetworkRequest(
      settings, quality: quality ?? settings.quality.quality, device: settings.device,
      threads: settings.threads, frameWidth: 1280, frameHeight: 720)
  }
}
