import CGStreamer
import GStreamerVideo
import GstElementSupport
import InferenceTypes
import PixelTypes
import Processor
import Threads
import VirtualBackground

/// The state that exists from start to stop.
///
/// Made and ended by the thread that changes the element's state while nothing streams, used by the
/// streaming thread in between.
final class ElementState {
  let engine: VirtualBackgroundEngine
  let clock: LoadClock
  /// OpenVINO's device and its threads, as they were set when the element started.
  let device: String
  let threads: Int
  /// The qualities with installed networks, the cheapest first.
  let installedQualities: [Quality]
  /// The number of threads of an inference.
  let inferenceThreads: Int

  /// The negotiated format and the mapping of its buffers, or nil before the first caps.
  var format: FrameFormat?
  var mapping: FrameMapping?
  /// The mapping of output buffers in another format, or nil if frames are processed in place.
  var output: BufferMapping?
  /// The reason why the last caps were refused, or nil if they were not.
  var refusal: String?
  /// The goal that the source pad's caps were chosen for, or nil before the first caps.
  var aim: NegotiationAim?
  /// Whether a warning was posted that downstream does not accept alpha.
  var hasWarnedOfAlpha = false

  /// The current or last frame, or before the first, the settings at the start.
  var frame: FrameContext
  var planner = FramePlanner()
  let lastResult = LastResult()
  /// Adapts the cost of the mattes, or nil before the first frame.
  var loadController: LoadController?
  /// The latency of frames with the current network.
  var inferenceLatency = InferenceLatency()
  /// Whether upstream is live, or nil before the query.
  var isLive: Bool?
  /// Nanoseconds between the last two buffers, or nil before the second one.
  private(set) var frameInterval: UInt64?
  /// The state that was last reported to the application.
  var publishedState = PublishedState()
  /// The network that was reported as too slow, or empty if no network was.
  var slowModel = ""
  /// Whether a warning was posted that downstream blocks the streaming thread.
  var hasWarnedOfBlocking = false
  /// The time when the base class began to push the last frame, or nil after the push.
  var pushBegan: UInt64?
  /// The time of the last `stats` message, in nanoseconds of a monotonic clock.
  var lastStatistics: UInt64?

  /// The effect of the previous frame, or nil if there was none or it was passed through.
  var lastEffect: EffectSettings.Effect?
  /// Whether a buffer was passed through since the element started.
  var hasForwardedRawFrames = false
  /// Whether the engine must forget earlier frames before it receives the next one.
  var needsHistoryReset = false

  private var helperTime: UInt64 = 0
  /// The time of the buffer before, in nanoseconds.
  private var lastTime: UInt64?
  /// After this many nanoseconds without a frame, the scene counts as a new one.
  private static let longestMemory: UInt64 = 1_000_000_000

  var networkSlot: NetworkSlot
  /// The file of the last network that was reported to know one subject only, with the requested
  /// subjects.
  var lastUnsupportedSubjects: (path: String, subjects: Subjects)?
  /// The quality that was last reported to be replaced by a cheaper network, and the network's
  /// file.
  var lastCheaperNetwork: (wanted: Quality, path: String)?
  var faceSlot: FaceSlot
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
    faceSlot: FaceSlot, plateSlot: PlateSlot
  ) {
    frame = FrameContext(settings: settings, time: nil, runningTime: nil)
    self.clock = clock
    self.installedQualities = installedQualities
    self.networkSlot = networkSlot
    self.faceSlot = faceSlot
    self.plateSlot = plateSlot
    device = settings.device
    threads = settings.threads
    let cores = UsableCores.count()
    inferenceThreads = threads == 0 ? cores : min(threads, cores)
    engine = VirtualBackgroundEngine(
      kernels: InstructionSet.current.kernels, threads: inferenceThreads)
  }

  /// Returns the nanoseconds that other threads have computed for the frames since the last call.
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

  /// Notes that the next buffer is passed through.
  func enterPassthrough() {
    hasForwardedRawFrames = true
    lastResult.reset()
    loadController?.restart(at: clock.time())
    lastEffect = nil
    needsHistoryReset = true
    // The user may add missing files before they are needed again.
    networkSlot.forgetRefusal()
    plateSlot.pause()
  }

  /// Notes the time of the next buffer, and whether it is marked as discontinuous.
  ///
  /// A leaky queue marks each buffer that follows a dropped one. After such a short gap the history
  /// is still valid.
  func recordTime(_ time: UInt64?, isDiscontinuous: Bool) {
    defer { lastTime = time }
    if let lastTime, let time, time > lastTime, time - lastTime <= Self.longestMemory {
      frameInterval = time - lastTime
      if let duration = engine.frameDuration, duration > 0 {
        let passed = (time - lastTime + duration / 2) / duration
        if passed > 1 { loadController?.recordMissingFrames(Int(passed) - 1) }
      }
    }
    guard isDiscontinuous else { return }
    if let lastTime, let time, time >= lastTime, time - lastTime <= Self.longestMemory { return }
    needsHistoryReset = true
  }

  /// Whether buffers of this format are configured already, so that only the output may change.
  ///
  /// Safety: `info` is valid during the call.
  func isConfigured(for info: UnsafePointer<GstVideoInfo>) -> Bool {
    unsafe mapping?.buffers.isCompatible(with: info) == true
  }

  /// Sets the format of the next buffers, and keeps the orientation.
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
    // A network that does not fit the new frames is dropped. No frame is shown before the next
    // network is there. The engine itself shows no plate of another format.
    let (old, new) = (self.format?.upright, format.upright)
    if new.width != old?.width || new.height != old?.height {
      engine.use(nil as Segmenters?)
      networkSlot.recordDroppedNetwork()
    }
    engine.configure(for: format)
    lastResult.reset()
    loadController?.recordNewFormat(at: clock.time())
    self.format = format
  }
}
