import Glibc

/// Rows that each begin directly after, or end directly before, a page that must not be accessed.
///
/// Owns its memory. Not thread-safe.
@safe package final class GuardedRows {
  /// The first byte of each row, valid for the lifetime of this object.
  package let places: [RowPlace]
  private let counts: [Int]
  private let mapping: UnsafeMutableRawPointer
  private let mappedBytes: Int

  /// Copies rows to the end or the beginning of memory between pages that must not be accessed.
  package init(_ rows: [[UInt8]], isAtEnd: Bool) {
    let page = sysconf(CInt(_SC_PAGESIZE))
    counts = rows.map(\.count)
    let usable = counts.map { max(1, ($0 + page - 1) / page) * page }
    mappedBytes = usable.reduce(page) { $0 + $1 + page }
    let address = unsafe mmap(nil, mappedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else {
      preconditionFailure("no memory for guarded rows, errno \(errno)")
    }
    unsafe mapping = address
    var start = unsafe address + page
    var places: [RowPlace] = []
    for (row, size) in zip(rows, usable) {
      guard unsafe mprotect(start, size, PROT_READ | PROT_WRITE) == 0 else {
        preconditionFailure("no memory for a guarded row, errno \(errno)")
      }
      let place = unsafe isAtEnd ? start + size - row.count : start
      unsafe place.copyMemory(from: row, byteCount: row.count)
      unsafe places.append(RowPlace(start: place))
      unsafe start += size + page
    }
    self.places = places
  }

  deinit {
    unsafe munmap(mapping, mappedBytes)
  }

  /// The rows as they are now.
  var contents: [[UInt8]] {
    zip(counts, places).map { count, place in
      unsafe Array(UnsafeRawBufferPointer(start: place.start, count: count))
    }
  }
}
