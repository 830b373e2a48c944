import CGStreamer
import Compositing
import GStreamerVideo
import GstBackground
import GstElementSupport
import Matting
import OpenVINOInference
import PixelTypes
import Processor
import Threads
import VirtualBackground

/// The work of an element from start to stop, and its state.
///
/// Extensions process the frames. Not thread-safe: used on the streaming thread while the element
/// streams. The thread that changes the element's state creates and releases it while nothing
/// streams.
final class VBGFilterStream {
  /// The element that owns this object.
  unowned let element: VBGFilterElement
  let base: BaseTransform
  let bus: ElementBus
  let engine: VirtualBackgroundEngine
  let clock: LoadClock
  /// The settings when the element started, of which `device` and `threads` stay in use.
  let settingsAtStart: Settings
  /// The qualities with installed networks, the cheapest first.
  let installedQualities: [Quality]
  /// The number of threads that an inference uses.
  private let inferenceThreads: Int

  /// The negotiated format, or nil before the first caps.
  private(set) var format: FrameFormat?
  /// The mapping of input buffers, or nil before the first caps.
  private(set) var mapping: FrameMapping?
  /// The mapping of output buffers in another format, or nil if frames are processed in place.
  private(set) var output: BufferMapping?
  /// The error of the last caps, or nil if they were accepted.
  private var refusal: ElementFault?
  /// The preference with which the source pad's caps were chosen, or nil before the first caps.
  var aim: NegotiationAim?

  /// The current frame.
  ///
  /// Between two frames, it is the previous one. Before the first frame, it contains the settings
  /// at the start.
  var frame: FrameContext
  var planner = FramePlanner()
  let lastResult = LastResult()
  /// Adapts the quality and the rate of inferences to the load, or nil before the first frame.
  var loadController: LoadController?
  /// The latency of frames with the current network.
  var inferenceLatency = InferenceLatency()
  /// Whether upstream is live, or nil before it was queried for the current stream.
  var answeredLive: Bool?
  /// Nanoseconds between the last two buffers, or nil before the second one.
  private(set) var frameInterval: UInt64?
  /// The time when the base class began to push the last frame, or nil if no push is running.
  var pushBegan: UInt64?
  /// The time of the last `stats` message, in nanoseconds of a monotonic clock.
  var lastStatistics: UInt64?

  /// The effect of the previous frame, or nil if there was no frame or it was passed through.
  var lastEffect: EffectSettings.Effect?
  /// Whether a buffer was passed through since the element started.
  var hasForwardedRawFrames = false
  /// Whether the engine must forget earlier frames before it receives the next one.
  var needsHistoryReset = false

  /// The value of `engine.helperTime` at the last call of `consumeHelperTime`.
  private var helperTime: UInt64 = 0
  /// The presentation time of the previous buffer, in nanoseconds, or nil if unknown.
  private var lastTime: UInt64?
  /// After a gap of more than this many nanoseconds, the earlier frames are no longer used.
  private static let longestMemory: UInt64 = 1_000_000_000
  /// The nanoseconds by which the processing of live buffers took longer than their intervals.
  ///
  /// A gap of this length is not a break. Otherwise, the slow start of a network would make a live
  /// source lose frames, and the gap would start the network again.
  var backlog: UInt64 = 0

  private let loadingThread = LoadingThread("vbgfilter-load")
  var networkSlot: NetworkSlot
  let faceLoader: FaceLoader
  /// The folder of the networks that find faces.
  let modelsFolder: String
  /// The face finder, or the reason why it could not be loaded, or nil before it is needed.
  var faces: Result<LoadedFaces, SegmentationError>?
  var plateSlot: PlateSlot
  let matteAttachment = MatteAttachment()
  let upstreamMask = UpstreamMask()
  var taggedOrientation = TaggedOrientation()
  let stickyPictures = StickyPictures()
  let frameMetas = FrameMetas()
  var statistics = Statistics()

  /// The network that was reported as too slow, or empty if no network was.
  var slowModel = ""
  /// Limits the warnings about frames that are hidden.
  var warnings = WarningGate()
  /// The last warning about each topic.
  private(set) var lastWarnings: [WarningTopic: ElementFault] = [:]

  /// The topic of a warning that is not repeated.
  enum WarningTopic {
    case alpha, blocking, quality, subjects
  }

  /// Creates the object of a stream, and prepares its network unless the settings are neutral.
  init(
    of element: VBGFilterElement, _ settings: Settings, _ networks: NetworkMaker,
    _ backgrounds: BackgroundSource, modelsFolder: String
  ) {
    self.element = element
    (base, bus, clock) = (element.base, element.bus, element.clock)
    settingsAtStart = settings
    frame = FrameContext(settings: settings, time: nil, runningTime: nil)
    self.modelsFolder = modelsFolder
    networks.clock = clock
    installedQualities = networks.installedQualities()
    let wait = element.streamWait
    // Create the network loader first, because no frame can be sent without a network.
    let networkLoader = networks.makeLoader(on: loadingThread, waking: wait)
    networkSlot = NetworkSlot(networkLoader)
    faceLoader = FaceLoader(on: loadingThread, waking: wait)
    plateSlot = PlateSlot(backgrounds.makeLoader(on: loadingThread, waking: wait))
    let cores = UsableCores.count()
    inferenceThreads = settings.threads == 0 ? cores : min(settings.threads, cores)
    engine = VirtualBackgroundEngine(threads: inferenceThreads, arrival: element.matteArrival)
    if settings.isNeutral { return }
    // Load the network while the source starts and the format is negotiated.
    let expected = NetworkRequest(expectedWith: settings, installedQualities)
    networkLoader.runWhenIdle { networks.prepareNetwork(expected, $0) }
  }

  /// Ends loading.
  func end() {
    plateSlot.end()
    faceLoader.end()
    networkSlot.end()
    loadingThread.end()
  }

  /// Sets the format of the following frames.
  ///
  /// Returns false if the real background cannot be hidden in frames of this format.
  func setInfo(_ input: UnsafePointer<GstVideoInfo>, output: UnsafePointer<GstVideoInfo>) -> Bool {
    if let fault = unsafe ElementFault(refusing: input) { return refuse(fault) }
    guard let format = unsafe FrameFormat(input),
      let inputFormat = unsafe PixelFormat(vbgfilter_video_info_format(input)), inputFormat.isInput,
      let outputFormat = unsafe PixelFormat(vbgfilter_video_info_format(output))
    else {
      bus.log(GST_LEVEL_ERROR, "the caps do not match the pad templates")
      return false
    }
    // The last result has another format.
    lastResult.reset()
    engine.frameDuration = unsafe frameDuration(input)
    // If the input is already configured, only the output format may have changed.
    if unsafe mapping?.buffers.isCompatible(with: input) != true {
      guard SpareMemory.isThere(for: VirtualBackgroundEngine.memory(for: format)) else {
        return refuse(.noMemory(for: format))
      }
      var adapter: NV12Adapter?
      if inputFormat != .nv12 {
        adapter = NV12Adapter(
          inputFormat, format: format, threads: inferenceThreads, helperTime: engine.helperTime)
      }
      use(format, orientation: self.format?.orientation ?? .upright)
      mapping = unsafe FrameMapping(
        BufferMapping(info: input, format: inputFormat), adapter: adapter)
    }
    let isInPlace = inputFormat == outputFormat
    self.output = unsafe isInPlace ? nil : BufferMapping(info: output, format: outputFormat)
    refusal = nil
    // Set this now: the base class chooses the memory of the frames before the first one arrives.
    base.isPassthrough = isInPlace && frame.settings.isNeutral
    bus.log(
      GST_LEVEL_INFO,
      "frames are \(format.width)x\(format.height), \(inputFormat) to \(outputFormat), "
        + "\(format.colorimetry); kernels: \(InstructionSet.current.rawValue)")
    return true
  }

  /// Posts the error for refused caps, and returns false.
  ///
  /// The base class negotiates again for each frame, so the same error is posted only once.
  private func refuse(_ fault: ElementFault) -> Bool {
    if refusal != fault { bus.postError(fault) }
    refusal = fault
    return false
  }

  /// Returns the negotiated duration of a frame in nanoseconds, or nil for a variable rate.
  private func frameDuration(_ info: UnsafePointer<GstVideoInfo>) -> UInt64? {
    let (rate, base) = unsafe (info.pointee.fps_n, info.pointee.fps_d)
    return rate > 0 && base > 0 ? UInt64(base) * 1_000_000_000 / UInt64(rate) : nil
  }

  /// Sets the format of the next frames.
  private func use(_ format: FrameFormat, orientation: ImageOrientation) {
    var format = format
    format.orientation = orientation
    // Drop the network if it does not fit the new frames: no frame is shown until the next network
    // is loaded. The plate need not be dropped, because the engine ignores plates of other formats.
    let (old, new) = (self.format?.upright, format.upright)
    if new.width != old?.width || new.height != old?.height {
      engine.use(nil as Segmenters?)
      networkSlot.recordDroppedNetwork()
    }
    engine.configure(for: format)
    inferenceLatency = InferenceLatency()
    lastResult.reset()
    loadController?.recordNewFormat(at: clock.time())
    self.format = format
  }

  /// Sets the orientation of the next frames.
  func use(_ orientation: ImageOrientation) {
    guard let format, format.orientation != orientation else { return }
    use(format, orientation: orientation)
  }

  /// Records the time of the next buffer, and whether it has the flag DISCONT.
  ///
  /// A leaky queue sets this flag on each buffer after a dropped one. After such a short gap the
  /// earlier frames can still be used.
  func recordTime(_ time: UInt64?, isDiscontinuous: Bool) {
    let maxGap = Self.longestMemory &+ backlog
    defer { lastTime = time }
    if let lastTime, let time, time > lastTime {
      let interval = time - lastTime
      backlog -= min(backlog, interval)
      if interval <= Self.longestMemory { record(interval) }
    }
    guard isDiscontinuous else { return }
    if let lastTime, let time, time >= lastTime, time - lastTime <= maxGap { return }
    needsHistoryReset = true
  }

  private func record(_ interval: UInt64) {
    frameInterval = interval
    guard let duration = engine.frameDuration, duration > 0 else { return }
    let passed = (interval + duration / 2) / duration
    if passed > 1 { loadController?.recordMissingFrames(Int(passed) - 1) }
  }

  /// Returns the processor time of helper threads since the last call, in nanoseconds.
  func consumeHelperTime() -> UInt64 {
    let sum = engine.helperTime.nanoseconds
    defer { helperTime = sum }
    return sum &- helperTime
  }

  /// Posts a warning unless it equals the last one about its topic.
  ///
  /// Nil forgets the last one.
  func warn(_ fault: ElementFault?, about topic: WarningTopic) {
    guard lastWarnings[topic] != fault else { return }
    lastWarnings[topic] = fault
    if let fault { bus.postWarning(fault) }
  }
}
