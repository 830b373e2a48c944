import CGStreamer
import CVBGFilter

/// The buffer that was sent last, which is kept to be sent again.
///
/// Not thread-safe: used on the streaming thread, and after streaming on the thread that stops the
/// element.
@safe final class LastResult {
  // An owned reference. It makes the buffer read-only for downstream, which has another reference.
  private var buffer: UnsafeMutablePointer<GstBuffer>?

  deinit {
    reset()
  }

  /// Whether there is a buffer.
  var exists: Bool { unsafe buffer != nil }

  /// Keeps a reference to a buffer that is about to be sent.
  func keep(_ result: UnsafeMutablePointer<GstBuffer>) {
    reset()
    unsafe buffer = ref(result)
  }

  /// Releases the buffer.
  func reset() {
    if let buffer = unsafe buffer { unsafe unref(buffer) }
    unsafe buffer = nil
  }

  /// Creates a buffer that shares the memory of the kept buffer.
  ///
  /// The caller owns the result. It has only the metas that describe the memory, not those about
  /// the frame. Returns nil if there is no kept buffer, or not enough memory.
  func makeCopy() -> UnsafeMutablePointer<GstBuffer>? {
    guard let buffer = unsafe buffer else { return nil }
    return unsafe vbg_buffer_share_memory(buffer)
  }
}
