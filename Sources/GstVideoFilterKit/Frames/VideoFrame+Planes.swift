import PixelTypes

extension VideoFrame {
  /// Creates the frame in a picture of the stream's format.
  ///
  /// Safety: the memory of the picture must be valid for as long as the frame exists, and no other
  /// code may use it.
  @unsafe init(_ picture: PicturePlanes, of stream: VideoStream, at timestamp: Duration?) {
    // A plane that the format does not have has no rows.
    func plane(_ number: Int, if exists: Bool) -> FramePlane {
      let plane = picture[number]
      return unsafe FramePlane(
        base: plane.base, width: exists ? plane.width : 0, height: exists ? plane.height : 0,
        stride: plane.stride)
    }
    let (isInterleaved, isPlanar) = (stream.format == .nv12, stream.format == .i420)
    self.init(
      stream: stream, timestamp: timestamp, luma: plane(0, if: isInterleaved || isPlanar),
      chroma: ChromaPlanes(
        interleaved: plane(1, if: isInterleaved), cb: plane(1, if: isPlanar),
        cr: plane(2, if: isPlanar)),
      pixels: plane(0, if: stream.format == .rgba))
  }
}
