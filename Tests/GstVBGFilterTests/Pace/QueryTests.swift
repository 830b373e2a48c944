import CGStreamer
import CGStreamerCheck
import Testing

@testable import GstVBGFilter

/// The element's answers to queries.
@Suite struct QueryTests {
  private static let frame: UInt64 = 33_333_333
  private static let millisecond: UInt64 = 1_000_000

  /// The answer to an allocation query from upstream while downstream offers its own memory.
  private struct Offer {
    var pools: [String?] = []
    var sizes: [guint] = []
    var least: [guint] = []
    var hasAllocator = false
    var knowsVideoMeta = false
  }

  /// Sends the query of a source to a filter.
  private func offer(to filter: TestFilter) throws -> Offer {
    filter.start()
    let harness = unsafe try #require(filter.harness)
    unsafe gst_pad_add_probe(
      harness.pointee.sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      { _, info, _ in
        guard let query = unsafe gst_pad_probe_info_get_query(info),
          unsafe cgst_query_type(query) == GST_QUERY_ALLOCATION,
          let pool = unsafe gst_video_buffer_pool_new()
        else { return GST_PAD_PROBE_OK }
        unsafe gst_object_set_name(UnsafeMutablePointer(OpaquePointer(pool)), "downstream")
        unsafe gst_query_add_allocation_pool(query, pool, 1000, 3, 8)
        unsafe gst_query_add_allocation_param(query, gst_allocator_find(nil), nil)
        unsafe gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
        unsafe gst_object_unref(pool)
        return GST_PAD_PROBE_HANDLED
      }, nil, nil)
    let caps = unsafe filter.stream.makeCaps()
    defer { unsafe GStreamer.unrefMini(caps) }
    let query = unsafe try #require(gst_query_new_allocation(caps, 1))
    defer { unsafe GStreamer.unrefMini(query) }
    try #require(unsafe gst_pad_peer_query(harness.pointee.srcpad, query) != 0)
    var offer = Offer()
    for index in unsafe 0..<gst_query_get_n_allocation_pools(query) {
      var pool: UnsafeMutablePointer<GstBufferPool>?
      var (size, least): (guint, guint) = (0, 0)
      unsafe gst_query_parse_nth_allocation_pool(query, index, &pool, &size, &least, nil)
      let name = unsafe pool.flatMap {
        unsafe gst_object_get_name(UnsafeMutablePointer(OpaquePointer($0)))
      }
      offer.pools.append(unsafe name.map { unsafe String(cString: $0) })
      unsafe g_free(name)
      if let pool = unsafe pool { unsafe gst_object_unref(pool) }
      offer.sizes.append(size)
      offer.least.append(least)
    }
    for index in unsafe 0..<gst_query_get_n_allocation_params(query) {
      var allocator: UnsafeMutablePointer<GstAllocator>?
      unsafe gst_query_parse_nth_allocation_param(query, index, &allocator, nil)
      if let allocator = unsafe allocator {
        offer.hasAllocator = true
        unsafe gst_object_unref(allocator)
      }
    }
    offer.knowsVideoMeta =
      unsafe gst_query_find_allocation_meta(query, gst_video_meta_api_get_type(), nil) != 0
    return offer
  }

  /// Other processes may share downstream's memory, so upstream must not write the room into it.
  @Test(arguments: ["true", "false"])
  func upstreamGetsNoMemoryOfDownstream(isActive: String) throws {
    let offer = try offer(to: TestFilter(["effect": "color", "active": isActive]))
    #expect(offer.pools.count == 1 && offer.pools.first != "downstream")
    #expect(offer.sizes == [320 * 180 * 3 / 2])
    #expect(offer.least == [3])
    #expect(!offer.hasAllocator)
    #expect(offer.knowsVideoMeta)
  }

  @Test func aConvertedFrameIsInTheFiltersMemory() throws {
    let offer = try offer(
      to: TestFilter(sink: "video/x-raw,format=RGBA", ["effect": "transparent"]))
    #expect(!offer.pools.contains("downstream"))
  }

  /// Pushes frames of a still room and returns the latency after each, in milliseconds.
  private func latencies(_ filter: TestFilter, frames: Range<UInt64>) throws -> [UInt64] {
    try frames.map { frame in
      _ = try filter.process(time: frame * Self.frame)
      return unsafe UInt64(gst_harness_query_latency(filter.harness)) / Self.millisecond
    }
  }

  /// Drops all messages and returns the number of latency messages among them.
  private func latencyMessages(of filter: TestFilter) -> Int {
    var count = 0
    while let message = unsafe gst_bus_pop(filter.bus) {
      if unsafe message.pointee.type == GST_MESSAGE_LATENCY { count += 1 }
      unsafe GStreamer.unrefMini(message)
    }
    return count
  }

  private func makeFilter(inferenceTakes work: UInt64, _ inference: String) throws -> TestFilter {
    let clock = TestClock()
    let filter = try TestFilter(["effect": "color", "inference": inference])
    filter.object.clock = clock.clock
    filter.models.change("good") { $0.work = { clock.compute(work) } }
    return filter
  }

  @Test("reports how long frames wait, once two of them waited")
  func anInferenceThatDelaysAFrameAddsLatency() throws {
    let filter = try makeFilter(inferenceTakes: 80 * Self.millisecond, "when-needed")
    let latencies = try latencies(filter, frames: 0..<20)
    // The interval is known from the second frame on. The wait ends with the third interval.
    #expect(latencies == (0..<20).map { $0 < 2 ? 0 : 3 * Self.frame / Self.millisecond })
    #expect(latencyMessages(of: filter) == 1)
    filter.set("inference", "every-frame")
    #expect(try self.latencies(filter, frames: 20..<22) == [0, 0])
    #expect(latencyMessages(of: filter) == 1)
  }

  @Test("ignores a single slow frame, and reports the wait that others reach")
  func singleSlowFrame() {
    var latency = InferenceLatency()
    for frame in 0..<40 {
      latency.record(
        work: (frame == 20 ? 200 : 5) * Self.millisecond, inferred: true,
        frameInterval: Self.frame)
    }
    #expect(latency.nanoseconds == 0)
    for frame in 0..<40 {
      // A frame without an inference does not count, however slow it is.
      latency.record(
        work: (frame % 10 == 0 ? 120 : 290) * Self.millisecond, inferred: frame % 10 == 0,
        frameInterval: Self.frame)
    }
    #expect(latency.nanoseconds == 4 * Self.frame)
  }

  @Test(arguments: [(20, "when-needed"), (80, "every-frame")])
  func aFrameThatDoesNotWaitAddsNoLatency(_ milliseconds: UInt64, _ inference: String) throws {
    let filter = try makeFilter(inferenceTakes: milliseconds * Self.millisecond, inference)
    #expect(try latencies(filter, frames: 0..<20).allSatisfy { $0 == 0 })
    #expect(latencyMessages(of: filter) == 0)
  }
}
