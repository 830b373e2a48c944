import PixelTypes

/// A frame of video, read and written in place.
///
/// It cannot outlive the call that it is passed to.
public struct VideoFrame: ~Copyable {
  /// The layout of pixels in memory.
  public typealias Format = VideoFormat

  /// The properties that all frames of the stream share.
  public let stream: VideoStream
  /// The buffer's presentation time, or nil if it is missing.
  ///
  /// After a seek, it may be less than before, or much greater.
  public let timestamp: Duration?

  /// The luma, a byte per pixel, or empty for RGBA.
  public var luma: FramePlane
  /// The chroma, with empty planes for RGBA.
  public var chroma: ChromaPlanes
  /// Red, green, blue and alpha of each pixel, or empty unless the format is RGBA.
  public var pixels: FramePlane

  /// The width in pixels.
  public var width: Int { stream.width }
  /// The height in pixels.
  public var height: Int { stream.height }
  /// The layout of pixels in memory.
  public var format: Format { stream.format }
  /// The matrix and range of the colours.
  public var colorimetry: Colorimetry { stream.colorimetry }

  /// Calls `body` with each plane, including empty ones.
  mutating func forEachPlane(_ body: (inout FramePlane) -> Void) {
    body(&luma)
    body(&chroma.interleaved)
    body(&chroma.cb)
    body(&chroma.cr)
    body(&pixels)
  }

  /// Fills the frame with opaque black.
  public mutating func fillBlack() {
    luma.fill(colorimetry.range == .full ? 0 : 16)
    chroma.fill(128)
    mapColors { _, _, _ in (0, 0, 0) }
    pixels.forEachRow { row, _ in
      for pixel in 0..<row.count / 4 { row[4 &* pixel &+ 3] = 255 }
    }
  }

  /// Replaces red, green and blue of each pixel of an RGBA frame by the result of `transform`.
  ///
  /// Does nothing for other formats.
  @inlinable
  public mutating func mapColors(
    _ transform: (_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> (UInt8, UInt8, UInt8)
  ) {
    pixels.forEachRow { row, _ in
      for pixel in 0..<row.count / 4 {
        let at = 4 &* pixel
        (row[at], row[at &+ 1], row[at &+ 2]) = transform(row[at], row[at &+ 1], row[at &+ 2])
      }
    }
  }

  /// Replaces each pair of Cb and Cr by a function of the pair and the mean luma of its pixels.
  ///
  /// Does nothing for RGBA.
  @inlinable
  public mutating func mapChroma(
    _ transform: (_ luma: UInt8, _ cb: UInt8, _ cr: UInt8) -> (cb: UInt8, cr: UInt8)
  ) {
    chroma.map(with: luma, transform)
  }
}

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
