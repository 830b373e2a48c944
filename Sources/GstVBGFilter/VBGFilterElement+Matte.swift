import CGStreamer
import GstElementSupport

extension VBGFilterElement {
  /// Attaches the matte that the frame in a buffer was composed with, if that was asked for and there
  /// is one.
  ///
  /// To be called while the buffer is writable, after the engine had the frame or in its place.
  func attachMatte(
    to buffer: BufferPointer, of frame: FrameContext, _ state: ElementState
  ) {
    guard let format = state.format else { return }
    unsafe state.matteAttachment.update(
      buffer, with: state.engine.frameMatte, of: format,
      // What is repeated was composed for an earlier frame.
      isInferred: frame.plan != .repeatFrame && state.engine.frameMatte?.isInferred == true,
      subject: frame.settings.subjects,
      isWanted: frame.settings.attachMatte)
  }
}
