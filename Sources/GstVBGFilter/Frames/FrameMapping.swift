import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Maps a buffer of any input format as an NV12 frame.
///
/// Used on the streaming thread alone.
final class FrameMapping {
  /// What maps the buffers.
  let buffers: BufferMapping
  /// What maps the buffers whose picture is copied; most streams need none.
  private lazy var sources = buffers.makeAnother()
  /// Shows a mapped picture as NV12 if it is none.
  private let adapter: NV12Adapter?

  /// The planes of the mapped buffer; nil when none is mapped.
  private(set) var frame: Frame?

  /// Maps the buffers that `buffers` does; `adapter` is needed for those that are not NV12.
  init(_ buffers: BufferMapping, adapter: NV12Adapter?) {
    self.buffers = buffers
    self.adapter = adapter
  }

  /// Maps a buffer for reading, or a writable one for writing too; false when it cannot be used as a
  /// frame.
  func map(_ buffer: UnsafeMutablePointer<GstBuffer>, isWritten: Bool = true) -> Bool {
    frame = nil
    guard unsafe buffers.map(buffer, isWritten: isWritten, paintsRest: isWritten) else {
      return false
    }
    openPicture()
    return true
  }

  /// Maps a writable buffer, and copies the picture of another one into it.
  ///
  /// Returns whether there was a picture to copy; nil when the buffer cannot be mapped.
  func map(
    _ buffer: UnsafeMutablePointer<GstBuffer>,
    withPictureOf other: UnsafeMutablePointer<GstBuffer>
  ) -> Bool? {
    frame = nil
    guard unsafe buffers.map(buffer, isWritten: true, paintsRest: true) else { return nil }
    let hasPicture = unsafe sources.map(other, isWritten: false)
    if hasPicture {
      buffers.copyPicture(from: sources)
      sources.unmap()
    }
    openPicture()
    return hasPicture
  }

  private func openPicture() {
    guard let picture = buffers.picture else { return }
    frame = adapter?.open(picture) ?? Frame(luma: picture[0], chroma: picture[1])
  }

  /// Brings what was written to the frame into the mapped buffer.
  func writeBack() {
    guard frame != nil, let adapter, let picture = buffers.picture else { return }
    adapter.writeBack(to: picture)
  }

  /// Ends the mapping, if there is one; the frame's planes are not to be used any more.
  func unmap() {
    frame = nil
    buffers.unmap()
  }
}
