/// The chroma of a frame: interleaved in NV12, in two planes in I420.
///
/// A sample covers a block of two by two pixels. In a frame with an odd width or height, the blocks
/// at the edge have fewer pixels.
public struct ChromaPlanes: ~Copyable {
  /// Cb and Cr alternating, or empty unless the format is NV12.
  public var interleaved: FramePlane
  /// Cb, the difference of blue and luma, or empty unless the format is I420.
  public var cb: FramePlane
  /// Cr, the difference of red and luma, or empty unless the format is I420.
  public var cr: FramePlane

  /// Sets all samples of Cb and Cr to `value`, where 128 is grey.
  public mutating func fill(_ value: UInt8) {
    interleaved.fill(value)
    cb.fill(value)
    cr.fill(value)
  }

  /// Sets all samples of Cb to one value and all samples of Cr to another.
  public mutating func fill(cb blue: UInt8, cr red: UInt8) {
    interleaved.forEachRow { row, _ in
      for pair in 0..<row.count / 2 {
        row[2 &* pair] = blue
        row[2 &* pair &+ 1] = red
      }
    }
    cb.fill(blue)
    cr.fill(red)
  }

  /// Replaces each pair of Cb and Cr by a function of the pair and the mean luma of its pixels.
  @inlinable
  mutating func map(
    with luma: borrowing FramePlane,
    _ transform: (_ luma: UInt8, _ cb: UInt8, _ cr: UInt8) -> (cb: UInt8, cr: UInt8)
  ) {
    let pairs = (luma.width + 1) / 2
    interleaved.forEachRow { row, y in
      precondition(row.count == 2 * pairs)
      Self.forEachMean(luma, y) { pair, mean in
        let (cb, cr) = unsafe transform(
          mean, row[unchecked: 2 &* pair], row[unchecked: 2 &* pair &+ 1])
        unsafe row[unchecked: 2 &* pair] = cb
        unsafe row[unchecked: 2 &* pair &+ 1] = cr
      }
    }
    FramePlane.forEachRow(&cb, &cr) { blue, red, y in
      precondition(blue.count == pairs && red.count == pairs)
      Self.forEachMean(luma, y) { pair, mean in
        let (cb, cr) = unsafe transform(mean, blue[unchecked: pair], red[unchecked: pair])
        unsafe blue[unchecked: pair] = cb
        unsafe red[unchecked: pair] = cr
      }
    }
  }

  /// Calls `body` with the index of each chroma sample of a row, and the mean luma of its pixels.
  ///
  /// If the width of the frame is odd, the last sample covers one column.
  @inlinable @inline(__always)
  static func forEachMean(
    _ luma: borrowing FramePlane, _ y: Int, _ body: (_ index: Int, _ mean: UInt8) -> Void
  ) {
    let top = luma.samples(ofRow: 2 &* y)
    let bottom = luma.samples(ofRow: min(2 &* y &+ 1, luma.height &- 1))
    let whole = luma.width / 2
    for index in 0..<whole { body(index, blockMean(top, bottom, 2 &* index, 2 &* index &+ 1)) }
    if luma.width > 2 * whole { body(whole, blockMean(top, bottom, 2 * whole, 2 * whole)) }
  }

  /// Returns the mean of two columns of two rows, rounded to the nearest integer.
  ///
  /// The columns must be within the rows.
  @inlinable @inline(__always)
  static func blockMean(
    _ top: Span<UInt8>, _ bottom: Span<UInt8>, _ left: Int, _ right: Int
  ) -> UInt8 {
    let upper = unsafe UInt16(top[unchecked: left]) &+ UInt16(top[unchecked: right])
    let lower = unsafe UInt16(bottom[unchecked: left]) &+ UInt16(bottom[unchecked: right])
    return UInt8(truncatingIfNeeded: (upper &+ lower &+ 2) &>> 2)
  }
}
