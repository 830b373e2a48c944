import PixelTypes

extension PortableKernels {
  /// Averages blocks of summed columns.
  public static func averageColumns(
    _ sums: UnsafePointer<UInt16>, _ columns: Int, _ shift: Int,
    _ out: UnsafeMutablePointer<UInt8>
  ) {
    let k = 1 &<< shift
    let half = UInt32(truncatingIfNeeded: (k &* k) &>> 1)
    let whole = columns &>> shift
    for i in 0..<whole {
      var sum = half
      for j in 0..<k {
        unsafe sum &+= UInt32(sums[i &* k &+ j])
      }
      unsafe out[i] = UInt8(truncatingIfNeeded: sum &>> UInt32(truncatingIfNeeded: 2 &* shift))
    }
    if whole &* k < columns {
      var sum = half
      for j in 0..<k {
        let column = whole &* k &+ j
        unsafe sum &+= UInt32(sums[column < columns ? column : columns &- 1])
      }
      unsafe out[whole] = UInt8(truncatingIfNeeded: sum &>> UInt32(truncatingIfNeeded: 2 &* shift))
    }
  }

  /// Averages blocks of summed columns of interleaved pairs.
  public static func averageColumnPairs(
    _ sums: UnsafePointer<UInt16>, _ columns: Int, _ shift: Int,
    _ out: UnsafeMutablePointer<UInt8>
  ) {
    let k = 1 &<< shift
    let half = UInt32(truncatingIfNeeded: (k &* k) &>> 1)
    let blocks = (columns &+ k &- 1) &>> shift
    for i in 0..<blocks {
      var first = half
      var second = half
      for j in 0..<k {
        let wanted = i &* k &+ j
        let column = wanted < columns ? wanted : columns &- 1
        unsafe first &+= UInt32(sums[2 &* column])
        unsafe second &+= UInt32(sums[2 &* column &+ 1])
      }
      let divisor = UInt32(truncatingIfNeeded: 2 &* shift)
      unsafe out[2 &* i] = UInt8(truncatingIfNeeded: first &>> divisor)
      unsafe out[2 &* i &+ 1] = UInt8(truncatingIfNeeded: second &>> divisor)
    }
  }
}
