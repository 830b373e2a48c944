import CGStreamer
import GstElementSupport

@testable import GstVBGFilter

extension VBGFilterElement {
  /// Processes a frame in place of the base class, into `output` or in `input` itself.
  ///
  /// - Returns: the output buffer, which the caller owns if it is a third buffer, or nil if the
  /// frame is dropped.
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
