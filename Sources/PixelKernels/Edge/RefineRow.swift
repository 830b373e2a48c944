import PixelTypes

extension CompiledKernels {
  /// Joint bilateral filter of a row of the matte.
  public static func refineRow(
    _ planes: MattePlanes, _ rows: UnsafePointer<Int>, _ spatial: UnsafePointer<Float>,
    _ reach: Float, _ contrast: Float, _ sums: UnsafeMutablePointer<Float>,
    _ weights: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let own = unsafe rows[2]
    let (luma, cb, cr) = unsafe (planes.luma + own, planes.cb + own, planes.cr + own)
    for i in 0..<count {
      unsafe sums[i] = 0
      unsafe weights[i] = 0
    }
    for row in 0..<5 {
      for column in 0..<5 {
        let offset = unsafe rows[row] &+ column &- 2
        let (alpha, otherLuma) = unsafe (planes.alpha + offset, planes.luma + offset)
        let (otherCb, otherCr) = unsafe (planes.cb + offset, planes.cr + offset)
        let weight = unsafe spatial[row &* 5 &+ column]
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
    }
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
