import PixelTypes

extension CompiledKernels {
  /// Weighted sum of rows; four at a time, so that the sums are read and written once for them.
  public static func sumWeightedRows(
    _ row: UnsafePointer<UInt8>, _ stride: Int, _ weights: UnsafePointer<Float>, _ taps: Int,
    _ sums: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var t = 0
    if taps >= 4 {
      unsafe sumFour(row, stride, weights, sums, count)
      t = 4
    } else if taps >= 2 {
      unsafe sumTwo(row, stride, weights, sums, count)
      t = 2
    } else {
      let weight = unsafe weights[0]
      for i in 0..<count { unsafe sums[i] = weight * Float(row[i]) }
      t = 1
    }
    while t &+ 4 <= taps {
      unsafe addFour(row + t &* stride, stride, weights + t, sums, count)
      t &+= 4
    }
    while t < taps {
      unsafe addOne(row + t &* stride, weights[t], sums, count)
      t &+= 1
    }
  }

  // Not inlined: inside the loop over the taps the check for overlap that guards the vectorised
  // loop would be made for all of them together.

  @inline(never) private static func sumTwo(
    _ row: UnsafePointer<UInt8>, _ stride: Int, _ weights: UnsafePointer<Float>,
    _ sums: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let (weight0, weight1) = unsafe (weights[0], weights[1])
    let row1 = unsafe row + stride
    for i in 0..<count {
      unsafe sums[i] = weight0 * Float(row[i]) + weight1 * Float(row1[i])
    }
  }

  @inline(never) private static func sumFour(
    _ row: UnsafePointer<UInt8>, _ stride: Int, _ weights: UnsafePointer<Float>,
    _ sums: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let (weight0, weight1, weight2, weight3) = unsafe (
      weights[0], weights[1], weights[2], weights[3]
    )
    let row1 = unsafe row + stride
    let row2 = unsafe row1 + stride
    let row3 = unsafe row2 + stride
    for i in 0..<count {
      var sum = unsafe weight0 * Float(row[i])
      unsafe sum += weight1 * Float(row1[i])
      unsafe sum += weight2 * Float(row2[i])
      unsafe sum += weight3 * Float(row3[i])
      unsafe sums[i] = sum
    }
  }

  @inline(never) private static func addFour(
    _ row: UnsafePointer<UInt8>, _ stride: Int, _ weights: UnsafePointer<Float>,
    _ sums: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let (weight0, weight1, weight2, weight3) = unsafe (
      weights[0], weights[1], weights[2], weights[3]
    )
    let row1 = unsafe row + stride
    let row2 = unsafe row1 + stride
    let row3 = unsafe row2 + stride
    for i in 0..<count {
      var sum = unsafe sums[i]
      unsafe sum += weight0 * Float(row[i])
      unsafe sum += weight1 * Float(row1[i])
      unsafe sum += weight2 * Float(row2[i])
      unsafe sum += weight3 * Float(row3[i])
      unsafe sums[i] = sum
    }
  }

  @inline(never) private static func addOne(
    _ row: UnsafePointer<UInt8>, _ weight: Float, _ sums: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for i in 0..<count { unsafe sums[i] += weight * Float(row[i]) }
  }
}
