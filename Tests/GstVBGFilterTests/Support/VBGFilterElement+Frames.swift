import CGStreamer
import GstElementSupport

@testable import GstVBGFilter

extension VBGFilterElement {
  /// Processes one frame like the base class: writes to `output`, or changes `input` if `output` is
  /// nil.
  ///
  /// - Returns: `output`, `input` or a new buffer, or nil if no frame is sent. The caller owns a
  /// new buffer and must release it.
  func work(on input: BufferPointer, into output: BufferPointer? = nil) -> BufferPointer? {
    unsafe receive(input)
    guard let state else { return nil }
    var frame = state.frame
    frame.plan = plan(frame, state)
    if frame.plan == .drop {
      recordResult(CGST_FLOW_DROPPED)
      return nil
    }
    guard let prepared = unsafe prepare(output ?? input, from: input, &frame) else { return nil }
    recordResult(unsafe transform(prepared, from: output == nil ? nil : input, &frame))
    return unsafe prepared
  }
}
