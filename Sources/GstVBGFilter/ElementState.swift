import CGStreamer
import GStreamerVideo
import GstElementSupport
import InferenceTypes
import Matting
import PixelTypes
import Processor
import Threads
import VirtualBackground

/// The state that exists from start to stop.
///
/// Not thread-safe: used on the streaming thread while the element streams. The thread that changes
/// the element's state creates and releases it while nothing streams.
final class ElementState {
  let engine: VirtualBackgroundEngine
  let clock: LoadClock
  /// The property `device` when the element started.
  let device: String
  /// The property `threads` when the element started.
  let threads: Int
  /// The qualities with installed networks, the cheapest first.
  let installedQualities: [Quality]
  /// The number of threads that an inference uses.
  let inferenceThreads: Int

  /// The negotiated format, or nil before the first caps.
  var format: FrameFormat?
  /// The mapping of input buffers, or nil before the first caps.
  var mapping: FrameMapping?
  /// The mapping of output buffers in another format, or nil if frames are processed in place.
  var output: BufferMapping?
  /// The reason why the last caps were refused, or nil if they were accepted.
  var refusal: String?
  /// The preference with which the source pad's caps were chosen, or nil before the first caps.
  var aim: NegotiationAim?
  /// Whether a warning was posted that downstream does not accept alpha.
  var hasWarnedOfAlpha = false

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
  var isLive: Bool?
  /// Nanoseconds between the last two buffers, or nil before the second one.
  private(set) var frameInterval: UInt64?
  /// The state that was last reported to the application.
  var publishedState = PublishedState()
  /// The network that was reported as too slow, or empty if no network was.
  var slowModel = ""
  /// Whether a warning was posted that downstream blocks the streaming thread.
  var hasWarnedOfBlocking = false
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

  var networkSlot: NetworkSlot
  /// The network file and the subjects of the last warning that a network cannot choose subjects.
  var lastUnsupportedSubjects: (path: String, subjects: Subjects)?
  /// The quality and the network file of the last warning that a cheaper network is used.
  var lastCheaperNetwork: (wanted: Quality, path: String)?
  let faceLoader: FaceLoader
  /// The folder of the networks that find faces.
  let modelsFolder: String
  /// Whether the engine has the face finder.
  var hasFaces = false
  /// The reason why the face finder could not be loaded.
  var facesError: SegmentationError?
  var plateSlot: PlateSlot
  let matteAttachment = MatteAttachment()
  let upstreamMask = UpstreamMask()
  var taggedOrientation = TaggedOrientation()
  let stickyPictures = StickyPictures()
  let frameMetas = FrameMetas()
  var statistics = Statistics()
  var warnings = WarningGate()

  init(
    settings: Settings, clock: LoadClock, installedQualities: [Quality], networkSlot: NetworkSlot,
    faceLoader: FaceLoader, modelsFolder: String, plateSlot: PlateSlot, arrival: MatteArrival
  ) {
    frame = FrameContext(settings: settings, time: nil, runningTime: nil)
    self.clock = clock
    self.installedQualities = installedQualities
    self.networkSlot = networkSlot
    (self.faceLoader, self.modelsFolder) = (faceLoader, modelsFolder)
    self.plateSlot = plateSlot
    device = settings.device
    threads = settings.threads
    let cores = UsableCores.count()
    inferenceThreads = threads == 0 ? cores : min(threads, cores)
    engine = VirtualBackgroundEngine(threads: inferenceThreads, arrival: arrival)
  }

  /// Returns the processor time of helper threads since the last call, in nanoseconds.
  func consumeHelperTime() -> UInt64 {
    let sum = engine.helperTime.nanoseconds
    defer { helperTime = sum }
    return sum &- helperTime
  }

  /// Records that downstream has accepted the last frame.
  func recordPush() {
    if let pushBegan {
      loadController?.recordBlocked(for: max(clock.time(), pushBegan) - pushBegan)
    }
    pushBegan = nil
  }

  /// Records that the next buffer is passed through.
  func enterPassthrough() {
    hasForwardedRawFrames = true
    lastResult.reset()
    loadController?.restart(at: clock.time())
    lastEffect = nil
    needsHistoryReset = true
    // Retry a network that failed to load: the user may have added its files by then.
    networkSlot.forgetRefusal()
    plateSlot.pause()
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

  /// Returns whether buffers of this format are already configured.
  ///
  /// If so, only the output format may have changed.
  ///
  /// Safety: `info` must be valid during the call.
  func isConfigured(for info: UnsafePointer<GstVideoInfo>) -> Bool {
    unsafe mapping?.buffers.isCompatible(with: info) == true
  }

  /// Sets the format and the mappings of the next buffers, and keeps the orientation.
  func configure(_ format: FrameFormat, mapping: FrameMapping, output: BufferMapping?) {
    var format = format
    format.orientation = self.format?.orientation ?? .upright
    use(format)
    self.mapping = mapping
    self.output = output
  }

  /// Sets the orientation of the next frames.
  func use(_ orientation: ImageOrientation) {
    guard var format, format.orientation != orientation else { return }
    format.orientation = orientation
    use(format)
  }

  private func use(_ format: FrameFormat) {
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
}
