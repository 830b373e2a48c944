import PixelTypes

extension CompiledKernels {
  // sRGB (IEC 61966-2-1) as two quadratics t(x) = (1 - a) * ((x + c)^2 - c^2), one after the other,
  // with c = a / (2 - 2 * a). A root inverts each of them. Values of a of 0.045 and 0.7475 minimise
  // the maximum error: 2.2 of 255 code values.

  /// Returns the square root of a positive number, with a relative error of at most 5e-6.
  ///
  /// Takes two of Newton's steps from an estimate. `squareRoot()` keeps loops from being
  /// vectorised.
  @inline(__always) private static func root(_ value: Float) -> Float {
    var inverse = Float(bitPattern: 0x5f37_5a86 &- (value.bitPattern &>> 1))
    inverse = inverse * (1.5 - 0.5 * value * inverse * inverse)
    inverse = inverse * (1.5 - 0.5 * value * inverse * inverse)
    return value * inverse
  }

  package static func lightRow(
    _ luma: Bytes, _ cb: Bytes, _ cr: Bytes, _ factors: ColorFactors, _ out: MutableFloats,
    _ count: Int
  ) {
    let f = factors
    for i in 0..<count {
      let color =
        unsafe f.offset + f.first * Float(luma[i]) + f.second * Float(cb[i])
        + f.third * Float(cr[i])
      let x = clamped(color, 0, 1)
      let t = x * (0.045 + 0.955 * x)
      unsafe out[i] = t * (0.7475 + 0.2525 * t)
    }
  }

  package static func encodeLight(
    _ sums: Floats, _ weights: Floats, _ out: MutableFloats, _ count: Int
  ) {
    for i in 0..<count {
      let light = unsafe clamped(sums[i] / weights[i], 0, 1)
      let t = root(light * (1 / 0.2525) + 2.190_986_2) - 1.480_198
      let positive = t > 0 ? t : 0
      unsafe out[i] = root(positive * (1 / 0.955) + 0.000_555_083_5) - 0.023_560_21
    }
  }

  package static func codeRow(
    _ red: Floats, _ green: Floats, _ blue: Floats, _ factors: ColorFactors, _ out: MutableBytes,
    _ count: Int
  ) {
    let f = factors
    for i in 0..<count {
      unsafe out[i] = roundedByte(
        f.offset + f.first * red[i] + f.second * green[i] + f.third * blue[i])
    }
  }

  package static func scaleRow(_ row: MutableFloats, _ weights: Floats, _ count: Int) {
    for i in 0..<count { unsafe row[i] *= weights[i] }
  }

  // It begins with the outer columns, because each column contains the next one further out. So
  // the cost grows with the radius, not with the area.
  package static func sumDisc(
    _ row: Floats, _ stride: Int, _ lengths: UnsafePointer<Int32>, _ tips: Floats, _ shares: Floats,
    _ reach: Int, _ column: MutableFloats, _ out: MutableFloats, _ count: Int
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
    _ column: MutableFloats, _ row: Floats, _ distance: Int, _ count: Int
  ) {
    let above = unsafe row - distance
    let below = unsafe row + distance
    for i in 0..<count { unsafe column[i] += above[i] + below[i] }
  }

  /// Adds the columns at the distance `d` on both sides, with tips at the distance `distance`.
  @inline(never) private static func addColumns(
    _ out: MutableFloats, _ column: Floats, _ row: Floats, _ d: Int, _ distance: Int, _ tip: Float,
    _ share: Float, _ count: Int
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
