import PixelTypes

extension PortableKernels {
  /// Weighted sums of neighbouring columns, for resampling a row.
  public static func filterColumns(
    _ row: UnsafePointer<Float>, _ step: Int, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    for i in 0..<count {
      let samples = unsafe row + Int(starts[i]) &* step
      var sum: Float = 0
      for t in 0..<taps {
        unsafe sum += weights[t &* count &+ i] * samples[t &* step]
      }
      unsafe out[i] = sum
    }
  }
}
