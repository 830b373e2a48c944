import CGStreamer
import GstElementSupport

// The answers to queries of neighbouring elements: about memory for input frames, and latency.

extension VBGFilterElement {
  /// Answers a query, and returns whether it was answered.
  ///
  /// Called on the streaming thread for an allocation query, otherwise on any thread.
  func query(_ query: QueryPointer, from direction: GstPadDirection) -> Bool {
    guard unsafe base.query(query, from: direction) else { return false }
    let type = unsafe cgst_query_type(query)
    if type == GST_QUERY_ALLOCATION, direction == GST_PAD_SINK, state?.output == nil {
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
    let own = latency.load(ordering: .relaxed)
    var live: gboolean = 0
    var minimum: GstClockTime = 0
    var maximum: GstClockTime = 0
    unsafe gst_query_parse_latency(query, &live, &minimum, &maximum)
    guard own > 0, live != 0 else { return }
    func sum(_ time: GstClockTime) -> GstClockTime {
      // GST_CLOCK_TIME_NONE, which Swift cannot import, is the greatest value.
      let (sum, isTooLarge) = time.addingReportingOverflow(GstClockTime(own))
      return isTooLarge ? .max : sum
    }
    unsafe gst_query_set_latency(query, live, sum(minimum), sum(maximum))
  }
}
