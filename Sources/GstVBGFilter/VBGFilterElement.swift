import CGStreamer
import GstBackground
import GstElementSupport
import Matting
import OpenVINOInference
import Synchronization
import Threads
import VirtualBackground

/// The object behind an element: its properties, its life cycle, events and queries.
///
/// The GObject owns this object. `settings`, `statistics`, `publishedState`, `lateness`, `latency`
/// and `streamWait` may be used on any thread. `stream` is created and released while nothing
/// streams, and is used only on the streaming thread in between.
@safe final class VBGFilterElement: ElementObject {
  let settings = Monitor(Settings())
  let statistics = Monitor(Statistics())
  /// The values of the read-only properties except `stats`.
  let publishedState = Monitor(PublishedState())
  let lateness = Monitor(Lateness())
  /// The latency that the element reports, in nanoseconds.
  let latency = Atomic<UInt64>(0)
  /// The wait of the streaming thread for a network or a background.
  let streamWait = StreamWait()
  private let backgroundThreads = BackgroundThreads()

  // Tests replace the following values before the element starts.

  /// The loader that reads models.
  var modelLoader: any SegmentationModelLoader = OpenVINOModelLoader()
  /// The time limits for backgrounds.
  var backgroundTimeouts = BackgroundTimeouts()
  /// The folder of the networks of all qualities, or nil for the installed networks.
  var modelsFolder: String?
  /// The clock that measures the load.
  var clock = LoadClock()
  /// When the mattes of live streams are used.
  var matteArrival = MatteArrival.whenFinished

  /// The work from start to stop, or nil otherwise.
  private(set) var stream: VBGFilterStream?

  /// Creates the object of an element.
  init(_ base: BaseTransform) {
    super.init(base, category: Self.debugCategory)
  }

  deinit {
    stop()
  }

  /// Sets a property, given its GObject property ID.
  ///
  /// Never waits for a network or a background.
  override func setProperty(_ id: UInt32, to value: UnsafePointer<GValue>) {
    unsafe Settings.table.set(id, to: value) { settings.withLock($0) }
  }

  /// Writes the value of a property to `value`, given its GObject property ID.
  override func getProperty(_ id: UInt32, into value: UnsafeMutablePointer<GValue>) {
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
    streamWait.begin()
    statistics.withLock { $0 = Statistics() }
    lateness.withLock { $0 = Lateness() }
    latency.store(0, ordering: .relaxed)
    stream = VBGFilterStream(of: self, settings, networks, backgrounds, modelsFolder: folder)
    bus.log(GST_LEVEL_DEBUG, "started with \(settings.shown)")
    return true
  }

  /// Releases everything that `start` and the stream created.
  func stop() {
    stream?.end()
    stream = nil
    show(PublishedState())
    // Most threads end at once. Do not wait longer, because a decoder may hang.
    backgroundThreads.waitForEnd(upTo: .milliseconds(300))
  }

  func changeState(_ transition: GstStateChange) -> GstStateChangeReturn {
    // End the streaming thread's wait for a network or a background, because the stream stops.
    if transition == GST_STATE_CHANGE_PAUSED_TO_READY { streamWait.stop() }
    return base.changeState(transition)
  }

  func setCaps(input: CapsPointer, output: CapsPointer) -> Bool {
    guard unsafe base.setCaps(input: input, output: output) else { return false }
    // Not in `setInfo`, because GstVideoFilter sets the in-place mode after that.
    unsafe gst_base_transform_set_in_place(base.pointer, stream?.output == nil ? 1 : 0)
    return true
  }

  /// Shows a new state to the application, and notifies it of changes.
  ///
  /// Called on the streaming thread, and by `stop`.
  func show(_ new: PublishedState) {
    let old = publishedState.withLock { shown in
      defer { shown = new }
      return shown
    }
    guard new != old else { return }
    unsafe bus.postElementMessage(new.makeStructure().take())
    for property in new.changes(from: old) { bus.notify(property) }
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
      try networks.readModel(
        for: NetworkRequest(expectedWith: settings, networks.installedQualities()))
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

  // MARK: - Events

  /// Handles an event from upstream, takes ownership of it, and returns whether that succeeded.
  func sinkEvent(_ event: EventPointer) -> Bool {
    unsafe base.sinkEvent(take(event))
  }

  /// Takes ownership of a downstream event, and returns the event to send instead.
  ///
  /// Returns the same event, or a copy without pictures if the event may show the real background
  /// and the settings hide it. The caller owns the result.
  ///
  /// Called on the streaming thread if the event is serialized with the frames, otherwise on any
  /// thread.
  func take(_ event: EventPointer) -> EventPointer {
    let type = unsafe cgst_event_type(event)
    unsafe record(event, type)
    // The base class does not forward this event: it sends the negotiated output caps instead.
    if type == GST_EVENT_CAPS { return unsafe event }
    let isKept = unsafe cgst_event_is_kept(event) != 0
    if isKept { unsafe stream?.stickyPictures.removeEntries(replacedBy: event) }
    guard let stripped = unsafe EventPictures.copyWithoutPictures(of: event) else {
      return unsafe event
    }
    let describesStream = type == GST_EVENT_STREAM_START || type == GST_EVENT_STREAM_COLLECTION
    // Always send the copy of these events: sending the original later would begin another stream.
    // Downstream loses nothing, because the picture also comes as a tag.
    let sendsOriginal = !describesStream && !settings.current.hidesRoom
    if isKept, !describesStream {
      unsafe stream?.stickyPictures.add(
        original: event, stripped: stripped, sendsOriginal: sendsOriginal)
    }
    let (sent, unsent) = unsafe sendsOriginal ? (event, stripped) : (stripped, event)
    unsafe unref(unsent)
    return unsafe sent
  }

  /// Updates the state from a downstream event.
  private func record(_ event: EventPointer, _ type: GstEventType) {
    switch type {
    case GST_EVENT_FLUSH_START:
      // The event arrives on another thread, and the streaming thread may be waiting.
      streamWait.setFlushing(true)
    case GST_EVENT_FLUSH_STOP:
      streamWait.setFlushing(false)
      stream?.needsHistoryReset = true
      stream?.plateSlot.recordJump()
    case GST_EVENT_STREAM_START:
      stream?.needsHistoryReset = true
      // Another source may have been linked.
      stream?.answeredLive = nil
      stream?.taggedOrientation = TaggedOrientation()
    case GST_EVENT_SEGMENT: stream?.needsHistoryReset = true
    case GST_EVENT_TAG: unsafe stream?.taggedOrientation.record(event)
    default: break
    }
  }

  /// Handles an event from downstream on any thread, and takes ownership of it.
  func sourceEvent(_ event: EventPointer) -> Bool {
    if unsafe cgst_event_type(event) == GST_EVENT_QOS {
      var proportion = 1.0
      var jitter: GstClockTimeDiff = 0
      unsafe gst_event_parse_qos(event, nil, &proportion, &jitter, nil)
      lateness.withLock { $0.record(jitter: Int64(jitter), proportion: proportion) }
    }
    return unsafe base.sourceEvent(event)
  }

  // MARK: - Queries

  /// Answers a query, and returns whether it was answered.
  ///
  /// Called on the streaming thread for an allocation query, otherwise on any thread.
  func query(_ query: QueryPointer, from direction: GstPadDirection) -> Bool {
    guard unsafe base.query(query, from: direction) else { return false }
    let type = unsafe cgst_query_type(query)
    if type == GST_QUERY_ALLOCATION, direction == GST_PAD_SINK, stream?.output == nil {
      unsafe offerOwnMemory(query)
    } else if type == GST_QUERY_LATENCY, direction == GST_PAD_SRC {
      unsafe addLatency(to: query)
    }
    return true
  }

  /// Replaces downstream's pools and allocators in the query by system memory.
  ///
  /// The element works in place, so upstream would write the real background into downstream's
  /// memory. Other processes may read that memory (PipeWire, shared memory), and it may be slow to
  /// read (frame buffers, V4L2). The metas in the query are kept, because the same buffers reach
  /// downstream.
  private func offerOwnMemory(_ query: QueryPointer) {
    var caps: CapsPointer?
    unsafe gst_query_parse_allocation(query, &caps, nil)
    var info = unsafe GstVideoInfo()
    guard let caps = unsafe caps, unsafe gst_video_info_from_caps(&info, caps) != 0 else { return }
    for index in unsafe 0..<gst_query_get_n_allocation_params(query) {
      var parameters = GstAllocationParams()
      unsafe gst_query_parse_nth_allocation_param(query, index, nil, &parameters)
      unsafe gst_query_set_nth_allocation_param(query, index, nil, &parameters)
    }
    let poolCount = unsafe gst_query_get_n_allocation_pools(query)
    guard poolCount > 0 else { return }
    // The minimum number of buffers, because downstream may keep that many.
    var minimum: guint = 0
    for index in (0..<poolCount).reversed() {
      var kept: guint = 0
      unsafe gst_query_parse_nth_allocation_pool(query, index, nil, nil, &kept, nil)
      unsafe gst_query_remove_nth_allocation_pool(query, index)
      minimum = max(minimum, kept)
    }
    guard let pool = unsafe gst_video_buffer_pool_new() else { return }
    defer { unsafe gst_object_unref(pool) }
    let size = unsafe guint(clamping: info.size)
    let configuration = unsafe gst_buffer_pool_get_config(pool)
    unsafe gst_buffer_pool_config_set_params(configuration, caps, size, minimum, 0)
    guard unsafe gst_buffer_pool_set_config(pool, configuration) != 0 else { return }
    // The query takes its own reference to the pool.
    unsafe gst_query_add_allocation_pool(query, pool, size, minimum, 0)
  }

  /// Adds the latency of this element to the answer of a latency query.
  private func addLatency(to query: QueryPointer) {
    let own = GstClockTime(latency.load(ordering: .relaxed))
    var live: gboolean = 0
    var minimum: GstClockTime = 0
    var maximum: GstClockTime = 0
    unsafe gst_query_parse_latency(query, &live, &minimum, &maximum)
    guard own > 0, live != 0 else { return }
    // GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
    func sum(_ time: GstClockTime) -> GstClockTime { time > .max - own ? .max : time + own }
    unsafe gst_query_set_latency(query, live, sum(minimum), sum(maximum))
  }
}
