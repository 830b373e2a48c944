import CGStreamer
import Compositing
import GStreamerVideo
import PixelTypes

/// Maps a buffer of any input format as an NV12 frame.
///
/// Used only on the streaming thread.
final class FrameMapping {
  /// The mapping that `map(_:isWritten:)` uses, in the buffer's own format.
  let buffers: BufferMapping
  /// The mapping of a buffer whose picture is copied to another buffer.
  ///
  /// Lazy, because in most streams no picture is copied.
  private lazy var sources = buffers.makeAnother()
  /// Converts a mapped picture to NV12, or nil if the buffers are NV12.
  private let adapter: NV12Adapter?

  /// The mapped picture as NV12, or nil if no buffer is mapped.
  private(set) var frame: Frame?
  /// Whether `frame` shows the picture of the input: newly allocated memory may not.
  private(set) var hasPicture = false

  /// Creates a mapping for buffers of the format that `buffers` maps.
  ///
  /// `adapter` must be nil if that format is NV12, and must convert that format otherwise.
  init(_ buffers: BufferMapping, adapter: NV12Adapter?) {
    self.buffers = buffers
    self.adapter = adapter
  }

  /// Maps a buffer for reading and, if `isWritten`, for writing.
  ///
  /// If `isWritten` is true, the buffer must be writable, and its memory around the picture is
  /// painted black. Returns false if the buffer cannot be used as a frame.
  func map(_ buffer: UnsafeMutablePointer<GstBuffer>, isWritten: Bool = true) -> Bool {
    hasPicture = unsafe buffers.map(buffer, isWritten: isWritten, paintsRest: isWritten)
    openPicture()
    return hasPicture
  }

  /// Maps `buffer` for writing, and copies the picture of `other` to it, if `other` can be mapped.
  ///
  /// `buffer` must be writable. Returns false if `buffer` cannot be mapped.
  func map(
    _ buffer: UnsafeMutablePointer<GstBuffer>,
    withPictureOf other: UnsafeMutablePointer<GstBuffer>
  ) -> Bool {
    unmap()
    guard unsafe buffers.map(buffer, isWritten: true, paintsRest: true) else { return false }
    hasPicture = unsafe sources.map(other, isWritten: false)
    if hasPicture {
      buffers.copyPicture(from: sources)
      sources.unmap()
    }
    openPicture()
    return true
  }

  /// Sets `frame` to the mapped picture, converted to NV12 if necessary.
  private func openPicture() {
    frame = buffers.picture.map { adapter?.open($0) ?? Frame(luma: $0[0], chroma: $0[1]) }
  }

  /// The mapped picture, to which a result must be written, or nil if the frame is the picture.
  var convertedPicture: PicturePlanes? { adapter == nil ? nil : buffers.picture }

  /// Unmaps the buffer, if one is mapped.
  ///
  /// The planes of `frame` must not be used after that.
  func unmap() {
    (frame, hasPicture) = (nil, false)
    buffers.unmap()
  }
}
