/// A frame of video, to be read and written where it lies.
///
/// It lives as long as the call that it is passed to, and cannot be kept.
public struct VideoFrame: ~Copyable {
  /// How the pixels of a frame lie in memory.
  public enum Format: String, CaseIterable, Sendable {
    /// A plane of luma and one of Cb and Cr in turns, a pair for two by two pixels.
    case nv12 = "NV12"
    /// A plane of luma, one of Cb and one of Cr, a sample for two by two pixels.
    case i420 = "I420"
    /// Red, green, blue and alpha in turns; the alpha does not multiply the others.
    case rgba = "RGBA"
  }

  /// What holds for all frames of the stream.
  public let stream: VideoStream
  /// When the frame is to be shown, as the buffer says it; nil if it does not.
  ///
  /// Time goes back at a seek, and may go on from anywhere.
  public let timestamp: Duration?

  /// The luma, a byte for each pixel; empty for RGBA.
  public var luma: FramePlane
  /// The chroma; its planes are empty for RGBA.
  public var chroma: ChromaPlanes
  /// Red, green, blue and alpha in turns; empty unless the format is RGBA.
  public var pixels: FramePlane

  init(
    stream: VideoStream, timestamp: Duration?, luma: consuming FramePlane,
    chroma: consuming ChromaPlanes, pixels: consuming FramePlane
  ) {
    self.stream = stream
    self.timestamp = timestamp
    self.luma = luma
    self.chroma = chroma
    self.pixels = pixels
  }

  /// Pixels in a row.
  public var width: Int { stream.width }
  /// Rows of pixels.
  public var height: Int { stream.height }
  /// How the pixels lie in memory.
  public var format: Format { stream.format }
  /// How the numbers stand for colours.
  public var colorimetry: Colorimetry { stream.colorimetry }

  /// Makes all of the frame black, and opaque.
  public mutating func fillBlack() {
    luma.fill(colorimetry.range == .full ? 0 : 16)
    chroma.fill(128)
    mapColors { _, _, _ in (0, 0, 0) }
    pixels.forEachRow { row, _ in
      for pixel in 0..<row.count / 4 { row[4 &* pixel &+ 3] = 255 }
    }
  }

  /// Replaces red, green and blue of each pixel of an RGBA frame; does nothing to others.
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

  /// Replaces each pair of chroma samples, knowing the mean of the luma that it stands for; does
  /// nothing to an RGBA frame.
  @inlinable
  public mutating func mapChroma(
    _ transform: (_ luma: UInt8, _ cb: UInt8, _ cr: UInt8) -> (cb: UInt8, cr: UInt8)
  ) {
    chroma.map(with: luma, transform)
  }
}
