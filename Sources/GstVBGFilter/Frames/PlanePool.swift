import CGStreamer
import CVBGFilter
import PixelTypes

/// A pool of buffers for planes of the size that was requested last.
///
/// Other code may keep a reference to a buffer, and read it on any thread. The pool reuses a buffer
/// once the pool has the only reference to it. It grows if no buffer is unused, and shrinks if more
/// than `spare` are unused. Not thread-safe, except for the atomic reference counts.
@safe final class PlanePool {
  /// A buffer that the pool owns, and the number of bytes from one row to the next.
  @safe struct Entry {
    let buffer: UnsafeMutablePointer<GstBuffer>
    let stride: Int
  }

  /// The number of unused buffers to keep, because the number in use varies while a queue fills.
  static let spare = 4

  private var (width, height) = (0, 0)
  private var entries: [Entry] = []

  deinit {
    clear()
  }

  /// Releases all buffers.
  func clear() {
    for entry in entries { unsafe unref(entry.buffer) }
    entries = []
  }

  /// The number of buffers, in use or not.
  var count: Int { entries.count }

  /// Calls `fill` with the plane of an unused buffer of this size, and returns the buffer.
  ///
  /// The result is valid until the next call. To use the buffer for longer, take a reference.
  /// Returns nil if there is not enough memory.
  func take(width: Int, height: Int, _ fill: (Plane) -> Void) -> Entry? {
    if width != self.width || height != self.height { clear() }
    (self.width, self.height) = (width, height)
    var unused: (count: Int, first: Int, last: Int) = (0, 0, 0)
    for index in entries.indices
    where unsafe vbg_buffer_is_unshared(entries[index].buffer) != 0 {
      if unused.count == 0 { unused.first = index }
      unused.last = index
      unused.count += 1
    }
    if unused.count > Self.spare { unsafe unref(entries.remove(at: unused.last).buffer) }
    guard let entry = unused.count > 0 ? entries[unused.first] : makeEntry() else { return nil }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(entry.buffer, &map, GST_MAP_WRITE) != 0 else { return nil }
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
}
