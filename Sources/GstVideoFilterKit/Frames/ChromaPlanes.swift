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
    // A chroma row has one pair, or one sample per plane, for two columns of luma. If the width of
    // the frame is odd, the last pair covers one column. So all indices below are within the rows.
    let whole = luma.width / 2
    interleaved.forEachRow { row, y in
      let top = luma.samples(ofRow: 2 &* y)
      let bottom = luma.samples(ofRow: min(2 &* y &+ 1, luma.height &- 1))
      precondition(row.count == 2 * ((luma.width + 1) / 2))
      for pair in 0..<whole {
        let mean = Self.blockMean(top, bottom, 2 &* pair, 2 &* pair &+ 1)
        let (cb, cr) = unsafe transform(
          mean, row[unchecked: 2 &* pair], row[unchecked: 2 &* pair &+ 1])
        unsafe row[unchecked: 2 &* pair] = cb
        unsafe row[unchecked: 2 &* pair &+ 1] = cr
      }
      if luma.width > 2 * whole {
        let mean = Self.blockMean(top, bottom, 2 * whole, 2 * whole)
        (row[2 * whole], row[2 * whole + 1]) =
          transform(mean, row[2 * whole], row[2 * whole + 1])
      }
    }
    FramePlane.forEachRow(&cb, &cr) { blue, red, y in
      let top = luma.samples(ofRow: 2 &* y)
      let bottom = luma.samples(ofRow: min(2 &* y &+ 1, luma.height &- 1))
      precondition(blue.count == (luma.width + 1) / 2 && red.count == blue.count)
      for x in 0..<whole {
        let mean = Self.blockMean(top, bottom, 2 &* x, 2 &* x &+ 1)
        let (cb, cr) = unsafe transform(mean, blue[unchecked: x], red[unchecked: x])
        unsafe blue[unchecked: x] = cb
        unsafe red[unchecked: x] = cr
      }
      if luma.width > 2 * whole {
        let mean = Self.blockMean(top, bottom, 2 * whole, 2 * whole)
        (blue[whole], red[whole]) = transform(mean, blue[whole], red[whole])
      }
    }
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
