import PixelTypes

// The neighbours of an output are loaded and weighed four at a time. Vectors of four are what every
// instruction set has, and outputs that begin anywhere allow no longer ones: a plain loop
// is vectorised with gathers, or with shuffles, which cost more.

extension CompiledKernels {
  /// Weighted sums of neighbouring columns, for resampling a row.
  public static func filterColumns(
    _ row: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
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

  /// Weighted sums of neighbouring pairs, for resampling a row of them.
  ///
  /// Two neighbouring pairs are four samples: what is loaded for one component is there for both.
  public static func filterColumnPairs(
    _ row: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ first: UnsafeMutablePointer<Float>,
    _ second: UnsafeMutablePointer<Float>, _ count: Int
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

  /// Four neighbours.
  @inline(__always) private static func four(_ samples: UnsafePointer<Float>) -> SIMD4<Float> {
    unsafe UnsafeRawPointer(samples).loadUnaligned(as: SIMD4<Float>.self)
  }
}
