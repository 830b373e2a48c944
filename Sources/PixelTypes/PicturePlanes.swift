/// A picture in any `PixelFormat`, in memory that the caller owns.
public struct PicturePlanes {
  /// The memory layout of the samples.
  public let format: PixelFormat
  // The first plane fills the unused entries.
  private let planes: InlineArray<4, Plane>

  /// Creates a picture from planes in GStreamer's order, or returns nil if one is missing.
  public init?(format: PixelFormat, plane: (Int) -> Plane?) {
    guard let first = plane(0) else { return nil }
    var planes = InlineArray<4, Plane>(repeating: first)
    for number in 1..<format.planeCount {
      guard let next = plane(number) else { return nil }
      planes[number] = next
    }
    self.format = format
    self.planes = planes
  }

  /// The planes of an NV12 frame.
  public init(_ frame: Frame) {
    format = .nv12
    planes = [frame.luma, frame.chroma, frame.luma, frame.luma]
  }

  /// Returns a plane by its number, from 0 to `planeCount - 1` of the format.
  public subscript(_ number: Int) -> Plane { planes[number] }
}

/// A matte and its colours, with one sample of each per pixel.
///
/// Safety: the creator owns the memory, which must be valid for as long as this value is used.
@safe public struct MattePlanes {
  /// The alpha.
  public let alpha: UnsafePointer<UInt8>
  /// The components of the colour.
  public let luma: UnsafePointer<UInt8>, cb: UnsafePointer<UInt8>, cr: UnsafePointer<UInt8>

  /// Creates the planes of `refineRow`.
  ///
  /// Each pointer is the sample to which the values of `rows` are added.
  @unsafe public init(
    alpha: UnsafePointer<UInt8>, luma: UnsafePointer<UInt8>, cb: UnsafePointer<UInt8>,
    cr: UnsafePointer<UInt8>
  ) {
    unsafe self.alpha = alpha
    unsafe (self.luma, self.cb, self.cr) = (luma, cb, cr)
  }
}
