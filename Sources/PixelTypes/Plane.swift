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
    (self.width, self.height, self.stride) = (width, height, stride)
  }

  /// Returns the first byte of row `y`, which must be in `0..<height`.
  @inlinable public func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe base + y &* stride
  }
}

/// A row between two others: `weight` out of 256 applies to `bottom`.
///
/// Safety: the pointers point into the object that returned this value. They are valid until the
/// next row is requested from that object.
@safe public struct RowBetween {
  /// The first sample of the upper row, and of the lower row.
  public let top: UnsafePointer<UInt8>, bottom: UnsafePointer<UInt8>
  /// The weight of the lower row, 0 to 256.
  public let weight: Int

  /// Creates a row from two others.
  @unsafe public init(top: UnsafePointer<UInt8>, bottom: UnsafePointer<UInt8>, weight: Int) {
    unsafe (self.top, self.bottom) = (top, bottom)
    self.weight = weight
  }

  /// Creates a row that is not between others.
  @unsafe public init(whole row: UnsafePointer<UInt8>) {
    unsafe self.init(top: row, bottom: row, weight: 0)
  }

  /// Returns the row from its sample `first` on.
  public static func + (row: RowBetween, first: Int) -> RowBetween {
    unsafe RowBetween(top: row.top + first, bottom: row.bottom + first, weight: row.weight)
  }
}

extension UnsafePointer<UInt8> {
  /// Returns the range from the first to the last sample of a row in which a bit of `bits` is set.
  ///
  /// The row has `count` samples. The range is `0..<0` without such a sample. Tests eight
  /// samples at a time, because most samples of a matte belong to the room.
  public func samples(withAnyOf bits: UInt8, count: Int) -> Range<Int> {
    let mask = UInt64(bits) &* 0x0101_0101_0101_0101
    func isEmpty(_ x: Int) -> Bool {
      unsafe UnsafeRawPointer(self).loadUnaligned(fromByteOffset: x, as: UInt64.self) & mask == 0
    }
    var (first, end) = (0, count)
    while first + 8 <= count, isEmpty(first) { first += 8 }
    while first < count, unsafe self[first] & bits == 0 { first += 1 }
    if first >= count { return 0..<0 }
    while end >= 8, isEmpty(end - 8) { end -= 8 }
    while unsafe self[end - 1] & bits == 0 { end -= 1 }
    return first..<end
  }
}
