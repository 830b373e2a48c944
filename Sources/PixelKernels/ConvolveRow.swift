import PixelTypes

extension PortableKernels {
  /// Symmetric filter along a row.
  ///
  /// Several taps a pass over the row, written out: the compiler vectorises the innermost loop only,
  /// and each pass reads and writes the sums once.
  public static func convolveRow(
    _ row: UnsafePointer<Float>, _ step: Int, _ taps: UnsafePointer<Float>, _ tapCount: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let centre = unsafe taps[0]
    for i in 0..<count { unsafe out[i] = centre * row[i] }
    var t = 1
    while t &+ 3 <= tapCount {
      let (tap0, tap1, tap2) = unsafe (taps[t], taps[t &+ 1], taps[t &+ 2])
      let before0 = unsafe row - t &* step
      let before1 = unsafe before0 - step
      let before2 = unsafe before1 - step
      let after0 = unsafe row + t &* step
      let after1 = unsafe after0 + step
      let after2 = unsafe after1 + step
      for i in 0..<count {
        var sum = unsafe out[i]
        unsafe sum += tap0 * (before0[i] + after0[i])
        unsafe sum += tap1 * (before1[i] + after1[i])
        unsafe sum += tap2 * (before2[i] + after2[i])
        unsafe out[i] = sum
      }
      t &+= 3
    }
    while t < tapCount {
      let tap = unsafe taps[t]
      let before = unsafe row - t &* step
      let after = unsafe row + t &* step
      for i in 0..<count { unsafe out[i] += tap * (before[i] + after[i]) }
      t &+= 1
    }
  }
}
