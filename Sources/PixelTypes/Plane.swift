/// A rectangle of bytes in memory that the caller owns: one plane of a video frame.
///
/// A luma plane has one byte per pixel. An interleaved chroma plane has two bytes per sample, so
/// its `width` is twice the number of its samples. Rows are `stride` bytes apart. Bytes beyond
/// `width` are padding, which is neither read nor written.
///
/// Safety: the memory must stay valid for as long as the plane is used. The planes of a mapped
/// frame are valid from map to unmap, and only on the streaming thread.
@safe public struct Plane {
  /// The first byte of the first row.
  public let base: UnsafeMutablePointer<UInt8>
  /// Bytes of a row that contain samples.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// Distance from one row to the next in bytes, at least `width`.
  public let stride: Int

  /// Creates a plane in memory that the caller owns.
  @unsafe public init(base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
    unsafe self.base = base
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// Returns the first byte of row `y`, which must be in `0..<height`.
  @inlinable public func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe base + y &* stride
  }
}
