import PixelTypes

extension CompiledKernels {
  // sRGB (IEC 61966-2-1) as two quadratics t(x) = (1 - a) * ((x + c)^2 - c^2), one after the other,
  // with c = a / (2 - 2 * a). A root inverts each of them, and vectorises. With a of 0.045 and
  // 0.7475, the maximum error of all pairs that were tried is the smallest: 2.2 of 255 code values.

  /// Decodes a sample of 0 to 1 to linear light.
  @inline(__always) private static func decoded(_ x: Float) -> Float {
    let t = x * (0.045 + 0.955 * x)
    return t * (0.7475 + 0.2525 * t)
  }

  /// The inverse of `decoded`.
  @inline(__always) private static func encoded(_ light: Float) -> Float {
    let t = (light * (1 / 0.2525) + 2.190_986_2).squareRoot() - 1.480_198
    return (t * (1 / 0.955) + 0.000_555_083_5).squareRoot() - 0.023_560_21
  }

  /// Converts a row of YCbCr to linear red, green and blue.
  public static func lightRow(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>,
    _ coefficients: RGBCoefficients, _ red: UnsafeMutablePointer<Float>,
    _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let c = coefficients
    for i in 0..<count {
      let pair = i & ~1
      let y = unsafe c.red.luma * Float(luma[i]) + c.red.offset
      let b = unsafe Float(chroma[pair]) - 128
      let r = unsafe Float(chroma[pair &+ 1]) - 128
      unsafe red[i] = decoded(clamped(y + c.redFromCr * r, 0, 1))
      unsafe green[i] = decoded(clamped(y + c.greenFromCb * b + c.greenFromCr * r, 0, 1))
      unsafe blue[i] = decoded(clamped(y + c.blueFromCb * b, 0, 1))
    }
  }

  /// Divides linear light by the weights, and encodes it as 0 to 255.
  public static func encodeLight(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for i in 0..<count {
      unsafe out[i] = 255 * encoded(clamped(sums[i] / weights[i], 0, 1))
    }
  }

  /// Multiplies a row by weights.
  public static func scaleRow(
    _ row: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ count: Int
  ) {
    for i in 0..<count { unsafe row[i] *= weights[i] }
  }

  /// Sums a disc around each sample of a row.
  ///
  /// It begins with the outer columns, because each column contains the next one further out. So
  /// the cost grows with the radius, not with the area.
  public static func sumDisc(
    _ row: UnsafePointer<Float>, _ stride: Int, _ lengths: UnsafePointer<Int32>,
    _ tips: UnsafePointer<Float>, _ shares: UnsafePointer<Float>, _ reach: Int,
    _ column: UnsafeMutablePointer<Float>, _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let width = count &+ 2 &* reach
    let first = unsafe row - reach
    for i in 0..<width { unsafe column[i] = first[i] }
    for i in 0..<count { unsafe out[i] = 0 }
    var length = 0
    var d = reach
    while d >= 0 {
      while unsafe length < Int(lengths[d]) {
        length &+= 1
        unsafe addPair(column, first, length &* stride, width)
      }
      unsafe addColumns(
        out, column + reach, row, d, (length &+ 1) &* stride, tips[d], shares[d], count)
      d &-= 1
    }
  }

  // Not inlined: inside the loop over the columns, the overlap check before the vectorised loop
  // would be made once for all columns. It fails for samples that step backwards.

  /// `column[i] += row[i - distance] + row[i + distance]`.
  @inline(never) private static func addPair(
    _ column: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ distance: Int,
    _ count: Int
  ) {
    let above = unsafe row - distance
    let below = unsafe row + distance
    for i in 0..<count { unsafe column[i] += above[i] + below[i] }
  }

  /// Adds the columns at the distance `d` on both sides, with tips at the distance `distance`.
  @inline(never) private static func addColumns(
    _ out: UnsafeMutablePointer<Float>, _ column: UnsafePointer<Float>,
    _ row: UnsafePointer<Float>, _ d: Int, _ distance: Int, _ tip: Float, _ share: Float,
    _ count: Int
  ) {
    let (left, right) = unsafe (column - d, column + d)
    let (leftAbove, leftBelow) = unsafe (row - d - distance, row - d + distance)
    let (rightAbove, rightBelow) = unsafe (row + d - distance, row + d + distance)
    for i in 0..<count {
      let tips = unsafe (leftAbove[i] + leftBelow[i]) + (rightAbove[i] + rightBelow[i])
      unsafe out[i] += share * ((left[i] + right[i]) + tip * tips)
    }
  }
}
