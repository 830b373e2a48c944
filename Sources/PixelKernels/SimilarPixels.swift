import PixelTypes

extension CompiledKernels {
  /// Adds a neighbour's alpha where the neighbour looks alike.
  public static func addSimilar(
    _ sums: UnsafeMutablePointer<Float>, _ weights: UnsafeMutablePointer<Float>,
    _ alpha: UnsafePointer<UInt8>, _ own: ColorRows, _ neighbour: ColorRows, _ weight: Float,
    _ reach: Float, _ count: Int
  ) {
    let (luma, cb, cr) = unsafe (own.luma, own.cb, own.cr)
    let (otherLuma, otherCb, otherCr) = unsafe (neighbour.luma, neighbour.cb, neighbour.cr)
    for i in 0..<count {
      let y = unsafe Int32(luma[i]) &- Int32(otherLuma[i])
      let b = unsafe Int32(cb[i]) &- Int32(otherCb[i])
      let r = unsafe Int32(cr[i]) &- Int32(otherCr[i])
      let distance = y &* y &+ 3 &* (b &* b &+ r &* r)
      let near = 1 - Float(distance) * reach
      let likeness = near > 0 ? near : 0
      let share = weight * (likeness * likeness)
      unsafe weights[i] += share
      unsafe sums[i] += share * Float(alpha[i])
    }
  }

  /// The mean alpha, with more contrast.
  public static func meanOfSimilar(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ contrast: Float,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      let mean = unsafe sums[i] / weights[i]
      unsafe out[i] = roundedByte((mean - 127.5) * contrast + 127.5)
    }
  }

  /// More contrast around the middle.
  public static func contrastRow(
    _ row: UnsafeMutablePointer<UInt8>, _ contrast: Float, _ count: Int
  ) {
    for i in 0..<count {
      unsafe row[i] = roundedByte((Float(row[i]) - 127.5) * contrast + 127.5)
    }
  }
}
