import CGStreamer
import GStreamerVideo
import Glibc
import GstElementSupport

extension VBGFilterElement {
  /// Returns whether a meta of the input buffer is copied to the output buffer.
  ///
  /// The output buffer has the same size and shows the same picture, but may have another format.
  func transformMeta(
    _ meta: MetaPointer, of input: BufferPointer, to output: BufferPointer
  ) -> Bool {
    guard let state, !state.frame.settings.hidesRoom || (unsafe state.frameMetas.maySend(meta)),
      let info = unsafe meta.pointee.info
    else { return false }
    // The output is already cropped, so positions in the uncropped input do not apply to it.
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
  /// Adapts the metas of a buffer to its picture.
  ///
  /// - Metas with positions are moved or removed if only a part of the frame is shown.
  /// - If `attach-matte` is set, the matte of the frame is attached. The buffer's matte is removed
  ///   if the frame has no matte.
  ///
  /// The buffer must be writable. Call it after the engine has processed the frame, or for a frame
  /// that repeats an earlier result.
  func updateMetas(
    of buffer: BufferPointer, for frame: FrameContext, _ state: ElementState
  ) {
    guard let format = state.format else { return }
    unsafe RegionMetas.update(buffer, for: state.engine.statistics.region, in: format)
    unsafe state.matteAttachment.update(
      buffer, with: state.engine.frameMatte, of: format,
      // A repeated result was composed for an earlier frame.
      isInferred: frame.plan != .repeatFrame && state.engine.frameMatte?.isInferred == true,
      subject: frame.settings.subjects,
      isWanted: frame.settings.attachMatte)
  }
}
