import PixelTypes

extension PortableKernels {
  /// Weighted sums of neighbouring columns, for resampling a row.
  ///
  /// Four taps a pass, written out: a loop over the taps would be the one that the compiler
  /// vectorises, with gathers that cost more than they save.
  public static func filterColumns(
    _ row: UnsafePointer<Float>, _ step: Int, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for i in 0..<count { unsafe out[i] = 0 }
    var t = 0
    while t &+ 4 <= taps {
      let w0 = unsafe weights + t &* count
      let w1 = unsafe w0 + count
      let w2 = unsafe w1 + count
      let w3 = unsafe w2 + count
      for i in 0..<count {
        let samples = unsafe row + (Int(starts[i]) &+ t) &* step
        var sum = unsafe out[i]
        unsafe sum += w0[i] * samples[0]
        unsafe sum += w1[i] * samples[step]
        unsafe sum += w2[i] * samples[2 &* step]
        unsafe sum += w3[i] * samples[3 &* step]
        unsafe out[i] = sum
      }
      t &+= 4
    }
    while t < taps {
      let w0 = unsafe weights + t &* count
      for i in 0..<count {
        unsafe out[i] += w0[i] * row[(Int(starts[i]) &+ t) &* step]
      }
      t &+= 1
    }
  }
}
