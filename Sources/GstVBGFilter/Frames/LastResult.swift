import CGStreamer
import CVBGFilter

/// The buffer that went out last, kept to be sent again.
///
/// Used on the streaming thread, and by the thread that ends the element while nothing streams.
@safe final class LastResult {
  // Owned, unless it is nil. Its memory is only read from now on: with two references it is not
  // writable.
  private var buffer: UnsafeMutablePointer<GstBuffer>?

  deinit {
    reset()
  }

  var exists: Bool { unsafe buffer != nil }

  /// Keeps a buffer that is about to go out.
  func keep(_ result: UnsafeMutablePointer<GstBuffer>) {
    if unsafe buffer == result { return }
    reset()
    unsafe gst_mini_object_ref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(result)))
    unsafe buffer = result
  }

  /// Releases the buffer.
  func reset() {
    if let buffer = unsafe buffer {
      unsafe gst_mini_object_unref(UnsafeMutablePointer<GstMiniObject>(OpaquePointer(buffer)))
    }
    unsafe buffer = nil
  }

  /// Makes a buffer that shares the kept one's memory.
  ///
  /// The caller owns it. It has only the metadata that describe the memory, not those about the
  /// frame.
  func makeCopy() -> UnsafeMutablePointer<GstBuffer>? {
    guard let buffer = unsafe buffer else { return nil }
    return unsafe vbg_buffer_share_memory(buffer)
  }
}
