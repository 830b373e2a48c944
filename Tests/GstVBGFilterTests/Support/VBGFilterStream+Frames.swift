import CGStreamer
import GstElementSupport

@testable import GstVBGFilter

extension VBGFilterStream {
  /// Processes one frame like the base class: writes to `output`, or changes `input` if `output` is
  /// nil.
  ///
  /// - Returns: `output`, `input` or a new buffer, or nil if no frame is sent. The caller owns a
  /// new buffer and must release it.
  func work(on input: BufferPointer, into output: BufferPointer? = nil) -> BufferPointer? {
    unsafe receive(input)
    planFrame()
    if frame.plan == .drop {
      recordResult(CGST_FLOW_DROPPED)
      return nil
    }
    guard let prepared = unsafe prepare(output ?? input, from: input) else { return nil }
    recordResult(unsafe transform(prepared, from: output == nil ? nil : input))
    return unsafe prepared
  }
}
