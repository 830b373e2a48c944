import PixelTypes

extension CompiledKernels {
  // It adds three taps at a time, so that the sums are read and written once for three taps.
  package static func convolveRow(
    _ row: Floats, _ step: Int, _ taps: Floats, _ tapCount: Int, _ out: MutableFloats, _ count: Int
  ) {
    var t = 1
    if tapCount >= 4 {
      unsafe sumCentreAndThreeTaps(out, row, step, taps, count)
      t = 4
    } else {
      let centre = unsafe taps[0]
      for i in 0..<count { unsafe out[i] = centre * row[i] }
    }
    while t &+ 3 <= tapCount {
      unsafe addThreeTaps(out, row, t &* step, step, taps + t, count)
      t &+= 3
    }
    while t < tapCount {
      unsafe addTap(out, row, t &* step, taps[t], count)
      t &+= 1
    }
  }

  // Not inlined: inside the loop over the taps, the overlap check before the vectorised loop would
  // be made once for all taps. It fails for samples that step backwards. More rows at once would
  // need more of these checks than the compiler makes.

  /// `out[i] += tap * (row[i - distance] + row[i + distance])`.
  @inline(never) private static func addTap(
    _ out: MutableFloats, _ row: Floats, _ distance: Int, _ tap: Float, _ count: Int
  ) {
    let before = unsafe row - distance
    let after = unsafe row + distance
    for i in 0..<count { unsafe out[i] += tap * (before[i] + after[i]) }
  }

  /// Sets `out` to the sum of the centre and the three nearest taps.
  @inline(never) private static func sumCentreAndThreeTaps(
    _ out: MutableFloats, _ row: Floats, _ step: Int, _ taps: Floats, _ count: Int
  ) {
    let (centre, tap0, tap1, tap2) = unsafe (taps[0], taps[1], taps[2], taps[3])
    let before0 = unsafe row - step
    let before1 = unsafe before0 - step
    let before2 = unsafe before1 - step
    let after0 = unsafe row + step
    let after1 = unsafe after0 + step
    let after2 = unsafe after1 + step
    for i in 0..<count {
      var sum = unsafe centre * row[i]
      unsafe sum += tap0 * (before0[i] + after0[i])
      unsafe sum += tap1 * (before1[i] + after1[i])
      unsafe sum += tap2 * (before2[i] + after2[i])
      unsafe out[i] = sum
    }
  }

  /// Adds three taps of growing distance.
  @inline(never) private static func addThreeTaps(
    _ out: MutableFloats, _ row: Floats, _ distance: Int, _ step: Int, _ taps: Floats, _ count: Int
  ) {
    let (tap0, tap1, tap2) = unsafe (taps[0], taps[1], taps[2])
    let before0 = unsafe row - distance
    let before1 = unsafe before0 - step
    let before2 = unsafe before1 - step
    let after0 = unsafe row + distance
    let after1 = unsafe after0 + step
    let after2 = unsafe after1 + step
    for i in 0..<count {
      var sum = unsafe out[i]
      unsafe sum += tap0 * (before0[i] + after0[i])
      unsafe sum += tap1 * (before1[i] + after1[i])
      unsafe sum += tap2 * (before2[i] + after2[i])
      unsafe out[i] = sum
    }
  }

  // The neighbours of an output are loaded and weighted four at a time. Every instruction set has
  // vectors of four, and longer ones do not fit outputs that begin anywhere. The compiler
  // vectorises a plain loop with gathers or shuffles, which cost more.

  package static func filterColumns(
    _ row: Floats, _ starts: UnsafePointer<Int32>, _ weights: Floats, _ taps: Int,
    _ out: MutableFloats, _ count: Int
  ) {
    if taps == 4 {
      for i in 0..<count {
        let products = unsafe four(row + Int(starts[i])) * four(weights + 4 &* i)
        unsafe out[i] = products[0] + products[1] + products[2] + products[3]
      }
      return
    }
    for i in 0..<count {
      let source = unsafe row + Int(starts[i])
      let factors = unsafe weights + i &* taps
      var sum: Float = 0
      var t = 0
      while t &+ 4 <= taps {
        let products = unsafe four(source + t) * four(factors + t)
        sum = sum + products[0] + products[1] + products[2] + products[3]
        t &+= 4
      }
      while t < taps {
        unsafe sum += source[t] * factors[t]
        t &+= 1
      }
      unsafe out[i] = sum
    }
  }

  // Two neighbouring pairs are four samples, so one load serves both components.
  package static func filterColumnPairs(
    _ row: Floats, _ starts: UnsafePointer<Int32>, _ weights: Floats, _ taps: Int,
    _ first: MutableFloats, _ second: MutableFloats, _ count: Int
  ) {
    if taps == 2 {
      for i in 0..<count {
        let (a, b) = unsafe (weights[2 &* i], weights[2 &* i &+ 1])
        let sums = unsafe four(row + 2 &* Int(starts[i])) * SIMD4(a, a, b, b)
        let pair = sums.lowHalf + sums.highHalf
        unsafe first[i] = pair[0]
        unsafe second[i] = pair[1]
      }
      return
    }
    for i in 0..<count {
      let source = unsafe row + 2 &* Int(starts[i])
      let factors = unsafe weights + i &* taps
      var sums = SIMD2<Float>(repeating: 0)
      for t in 0..<taps {
        unsafe sums += SIMD2(source[2 &* t], source[2 &* t &+ 1]) * SIMD2(repeating: factors[t])
      }
      unsafe first[i] = sums[0]
      unsafe second[i] = sums[1]
    }
  }

  /// Loads four neighbours.
  @inline(__always) private static func four(_ samples: Floats) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(samples).loadUnaligned(as: SIMD4<Float>.self)
  }

  /// Sums rows with weights, four at a time, so that the sums are read and written once for four
  /// rows.
  package static func sumWeightedRows(
    _ row: Bytes, _ stride: Int, _ weights: Floats, _ taps: Int, _ sums: MutableFloats, _ count: Int
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

  // Not inlined: inside the loop over the taps, the overlap check that guards the vectorised loop
  // would be made for all of them together.

  @inline(never) private static func sumTwo(
    _ row: Bytes, _ stride: Int, _ weights: Floats, _ sums: MutableFloats, _ count: Int
  ) {
    let (weight0, weight1) = unsafe (weights[0], weights[1])
    let row1 = unsafe row + stride
    for i in 0..<count { unsafe sums[i] = weight0 * Float(row[i]) + weight1 * Float(row1[i]) }
  }

  @inline(never) private static func sumFour(
    _ row: Bytes, _ stride: Int, _ weights: Floats, _ sums: MutableFloats, _ count: Int
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
    _ row: Bytes, _ stride: Int, _ weights: Floats, _ sums: MutableFloats, _ count: Int
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
    _ row: Bytes, _ weight: Float, _ sums: MutableFloats, _ count: Int
  ) {
    for i in 0..<count { unsafe sums[i] += weight * Float(row[i]) }
  }

  package static func accumulate(
    _ sums: MutableFloats, _ row: Floats, _ weight: Float, _ count: Int
  ) {
    for i in 0..<count { unsafe sums[i] += weight * row[i] }
  }
}
