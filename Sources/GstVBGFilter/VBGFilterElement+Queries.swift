import CGStreamer
import GstElementSupport

// The answers to neighbours: the memory for input frames, and the latency.

extension VBGFilterElement {
  /// Answers a query: for an allocation on the streaming thread, else on any.
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

  /// Replaces the memory that downstream offers by the system's.
  ///
  /// In place, upstream would write the room into downstream's memory. Other processes may see that
  /// memory (PipeWire, shared memory) and it may be slow to read (frame buffers, V4L2).
  /// Downstream's answers about metas stay, because these frames reach it.
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
    // The number of buffers that downstream may keep.
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
    // The query takes a reference.
    unsafe gst_query_add_allocation_pool(query, pool, size, minimum, 0)
  }

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
