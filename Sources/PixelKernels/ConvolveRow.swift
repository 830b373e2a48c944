import PixelTypes

extension CompiledKernels {
  /// Symmetric filter along a row; three taps at a time, so that the sums are read and written once
  /// for them.
  public static func convolveRow(
    _ row: UnsafePointer<Float>, _ step: Int, _ taps: UnsafePointer<Float>, _ tapCount: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
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

  // Not inlined: inside the loop over the taps the check for overlap that guards the vectorised
  // loop is made once for all taps, and fails for samples that step backwards. More rows at once
  // would need more of these checks than the compiler is willing to make.

  /// `out[i] += tap * (row[i - distance] + row[i + distance])`.
  @inline(never) private static func addTap(
    _ out: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ distance: Int, _ tap: Float,
    _ count: Int
  ) {
    let before = unsafe row - distance
    let after = unsafe row + distance
    for i in 0..<count { unsafe out[i] += tap * (before[i] + after[i]) }
  }

  /// The centre and the three taps beside it, whatever was in `out`.
  @inline(never) private static func sumCentreAndThreeTaps(
    _ out: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ step: Int,
    _ taps: UnsafePointer<Float>, _ count: Int
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

  /// Three taps of growing distance.
  @inline(never) private static func addThreeTaps(
    _ out: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ distance: Int, _ step: Int,
    _ taps: UnsafePointer<Float>, _ count: Int
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
}
