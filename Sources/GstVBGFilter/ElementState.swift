import CGStreamer
import GStreamerVideo
import GstElementSupport
import InferenceTypes
import PixelTypes
import Processor
import Threads
import VirtualBackground

/// What exists from start to stop.
///
/// Made and ended by the thread that changes the element's state while nothing streams, used by the
/// streaming thread in between.
final class ElementState {
  let engine: VirtualBackgroundEngine
  let clock: LoadClock
  /// OpenVINO's device and its threads, as they were set when the element started.
  let device: String
  let threads: Int
  /// The qualities whose networks are installed, the cheapest first.
  let installedQualities: [Quality]
  /// Threads that an inference takes.
  let inferenceThreads: Int

  /// The negotiated format, and what maps its buffers; nil before the first caps.
  var format: FrameFormat?
  var mapping: FrameMapping?
  /// What maps the buffers that go out in another format; nil when the frames are worked on in place.
  var output: BufferMapping?
  /// Why the last caps were refused; nil if they were not.
  var refusal: String?
  /// What the caps of the source pad were chosen for; nil before the first.
  var aim: NegotiationAim?
  /// Whether the application was told that downstream takes no alpha.
  var hasWarnedOfAlpha = false

  /// The frame that is worked on, or was last; before the first, what the settings were at the start.
  var frame: FrameContext
  var planner = FramePlanner()
  let lastResult = LastResult()
  /// Adapts the cost of the mattes; nil before the first frame.
  var loadController: LoadController?
  /// How late frames may go out with the network in use.
  var inferenceLatency = InferenceLatency()
  /// Whether upstream is live; nil before that was asked for.
  var isLive: Bool?
  /// Nanoseconds between the last two buffers; nil before there were two.
  private(set) var frameInterval: UInt64?
  /// The state that the application was told last.
  var publishedState = PublishedState()
  /// The network that the application was told to be too slow; empty for none.
  var slowModel = ""
  /// Whether a warning was posted that downstream blocks the streaming thread.
  var hasWarnedOfBlocking = false
  /// The time when the base class began to push the last frame, or nil after the push.
  var pushBegan: UInt64?
  /// When `stats` were posted last, in nanoseconds of a clock that never goes back.
  var lastStatistics: UInt64?

  /// The effect of the frame before; nil when there was none or it was let through.
  var lastEffect: EffectSettings.Effect?
  /// Whether a buffer was let through since the element started.
  var hasForwardedRawFrames = false
  /// Whether the engine is to forget earlier frames before it sees the next one.
  var needsHistoryReset = false

  private var helperTime: UInt64 = 0
  /// The time of the buffer before, in nanoseconds.
  private var lastTime: UInt64?
  /// After so many nanoseconds without a frame, the scene is another one.
  private static let longestMemory: UInt64 = 1_000_000_000

  var networkSlot: NetworkSlot
  /// The file whose network was said to know one subject only, and the subjects it was asked for.
  var lastUnsupportedSubjects: (path: String, subjects: Subjects)?
  /// The quality that a cheaper network was said to stand in for, and the network's file.
  var lastCheaperNetwork: (wanted: Quality, path: String)?
  /// Whether touching people cannot be separated because the face networks failed to load.
  var lacksFaces = false
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

  /// Notes that the buffer that comes next is let through.
  func enterPassthrough() {
    hasForwardedRawFrames = true
    lastResult.reset()
    loadController?.restart(at: clock.time())
    lastEffect = nil
    needsHistoryReset = true
    // What was missing may have been put in its place by the time it is needed again.
    networkSlot.forgetRefusal()
    plateSlot.pause()
  }

  /// Notes the time of the buffer that comes next, and whether it is marked as discontinuous.
  ///
  /// A leaky queue marks each buffer that follows a dropped one; what was seen a moment ago is still
  /// worth remembering then.
  func noteTime(_ time: UInt64?, isDiscontinuous: Bool) {
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

  /// Whether buffers of this format are taken already, so that only what goes out may be another.
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
    // A network that does not fit the new frames is dropped; the next is waited for before one is
    // shown. The engine itself shows no plate of another format.
    let (old, new) = (self.format?.upright, format.upright)
    if new.width != old?.width || new.height != old?.height {
      engine.use(nil as Segmenters?)
      networkSlot.noteThatNetworkIsDropped()
    }
    engine.configure(for: format)
    lastResult.reset()
    loadController?.recordNewFormat(at: clock.time())
    self.format = format
  }
}
