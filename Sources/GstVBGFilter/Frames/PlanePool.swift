import CGStreamer
import CVBGFilter
import PixelTypes

/// Buffers for planes of one size that other code may read, on any thread and for any time.
///
/// The pool keeps one reference to each buffer. Buffers without another reference are overwritten.
/// The pool grows if there is no such buffer, and shrinks if it has more than it needs. Used on one
/// thread. Only the reference counts, which are atomic, are shared with others.
@safe final class PlanePool {
  /// A buffer, which the pool owns, and the distance of its rows.
  @safe struct Entry {
    let buffer: UnsafeMutablePointer<GstBuffer>
    let stride: Int
  }

  /// How many unused buffers to keep, because the number in use varies while a queue fills.
  static let spare = 4

  private let width: Int
  private let height: Int
  private var entries: [Entry] = []

  /// Makes an empty pool for planes of a size.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  deinit {
    for entry in entries { Self.release(entry) }
  }

  /// The current pool if it has the size of `samples`, or else a new one that replaces it.
  static func pool(_ pool: inout PlanePool?, for samples: Plane) -> PlanePool {
    if let pool, pool.width == samples.width, pool.height == samples.height { return pool }
    let made = PlanePool(width: samples.width, height: samples.height)
    pool = made
    return made
  }

  /// The number of buffers, in use or not.
  var count: Int { entries.count }

  /// Fills a buffer that is not in use, or returns nil if memory is insufficient.
  ///
  /// The result is valid until the next call. Take a reference to keep it longer.
  func take(_ fill: (Plane) -> Void) -> Entry? {
    var unused: (count: Int, first: Int, last: Int) = (0, 0, 0)
    for index in entries.indices
    where unsafe vbg_buffer_is_unshared(entries[index].buffer) != 0 {
      if unused.count == 0 { unused.first = index }
      unused.last = index
      unused.count += 1
    }
    if unused.count > Self.spare { Self.release(entries.remove(at: unused.last)) }
    guard
      let entry = unused.count > 0 ? entries[unused.first] : makeEntry()
    else { return nil }
    var map = unsafe GstMapInfo()
    guard
      unsafe gst_buffer_map(entry.buffer, &map, GST_MAP_WRITE) != 0
    else { return nil }
    defer { unsafe gst_buffer_unmap(entry.buffer, &map) }
    guard
      let base = unsafe map.data, unsafe map.size >= gsize(entry.stride * (height - 1) + width)
    else { return nil }
    fill(unsafe Plane(base: base, width: width, height: height, stride: entry.stride))
    return entry
  }

  private func makeEntry() -> Entry? {
    guard let buffer = unsafe vbg_gray_buffer_new(guint(width), guint(height)) else { return nil }
    guard let meta = unsafe gst_buffer_get_video_meta(buffer) else { return nil }
    let entry = unsafe Entry(buffer: buffer, stride: Int(meta.pointee.stride.0))
    entries.append(entry)
    return entry
  }

  private static func release(_ entry: Entry) {
    unsafe gst_mini_object_unref(
      UnsafeMutablePointer<GstMiniObject>(OpaquePointer(entry.buffer)))
  }
}
