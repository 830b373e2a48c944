import CGStreamer
import GStreamerVideo
import Glibc
import GstElementSupport

extension VBGFilterElement {
  /// Whether a meta of a buffer is copied to its replacement.
  ///
  /// The replacement has the same size and picture, but may have another format.
  func transformMeta(
    _ meta: MetaPointer, of input: BufferPointer, to output: BufferPointer
  ) -> Bool {
    guard let state, !state.frame.settings.hidesRoom || (unsafe state.frameMetas.maySend(meta)),
      let info = unsafe meta.pointee.info
    else { return false }
    // The crop is applied by then, and positions in the frame were relative to another corner.
    let isCropped = unsafe vbgfilter_buffer_crop_meta(input) != nil
    guard var tag = unsafe gst_meta_api_type_get_tags(info.pointee.api) else { return true }
    while let name = unsafe tag.pointee {
      let isPlace = unsafe strcmp(name, "size") == 0 || strcmp(name, "orientation") == 0
      guard unsafe strcmp(name, "video") == 0 || (isPlace && !isCropped) else { return false }
      unsafe tag += 1
    }
    return true
  }
}

extension VBGFilterElement {
  /// Attaches the matte that the frame in a buffer was composed with, if requested and available.
  ///
  /// Call it while the buffer is writable, after the engine or instead of it.
  func attachMatte(
    to buffer: BufferPointer, of frame: FrameContext, _ state: ElementState
  ) {
    guard let format = state.format else { return }
    unsafe state.matteAttachment.update(
      buffer, with: state.engine.frameMatte, of: format,
      // A repeated result was composed for an earlier frame.
      isInferred: frame.plan != .repeatFrame && state.engine.frameMatte?.isInferred == true,
      subject: frame.settings.subjects,
      isWanted: frame.settings.attachMatte)
  }
}
