import CAllocationCounter

/// How often memory is allocated at the least in some calls: other threads allocate now and then.
func leastAllocations(_ body: () -> Void) -> UInt64 {
  (0..<20).map { _ in
    let before = allocation_counter_count()
    body()
    return allocation_counter_count() - before
  }.min() ?? 0
}
