import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Maps a buffer of any input format as an NV12 frame.
///
/// Used only on the streaming thread.
final class FrameMapping {
  /// The mapping of the buffers.
  let buffers: BufferMapping
  /// Maps the buffers whose pictures are copied.
  ///
  /// Lazy, because most streams copy none.
  private lazy var sources = buffers.makeAnother()
  /// Converts a mapped picture to NV12 if it has another format.
  private let adapter: NV12Adapter?

  /// The planes of the mapped buffer, or nil if no buffer is mapped.
  private(set) var frame: Frame?

  /// Maps the same buffers as `buffers`.
  ///
  /// `adapter` is needed for buffers that are not NV12.
  init(_ buffers: BufferMapping, adapter: NV12Adapter?) {
    self.buffers = buffers
    self.adapter = adapter
  }

  /// Maps a buffer for reading, and also for writing if `isWritten`.
  ///
  /// The buffer must then be writable. Returns false if the buffer cannot be used as a frame.
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
  /// Returns whether there was a picture to copy, or nil if the buffer cannot be mapped.
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

  /// Writes the changes of the frame back to the mapped buffer.
  func writeBack() {
    guard frame != nil, let adapter, let picture = buffers.picture else { return }
    adapter.writeBack(to: picture)
  }

  /// Ends the mapping, if there is one.
  ///
  /// The frame's planes must not be used after that.
  func unmap() {
    frame = nil
    buffers.unmap()
  }
}
