import PixelTypes

extension PortableKernels {
  /// Symmetric filter along a row.
  public static func convolveRow(
    _ row: UnsafePointer<Float>, _ step: Int, _ taps: UnsafePointer<Float>, _ tapCount: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let centre = unsafe taps[0]
    for i in 0..<count {
      unsafe out[i] = centre * row[i]
    }
    for t in 1..<max(tapCount, 1) {
      let tap = unsafe taps[t]
      let before = unsafe row - t &* step
      let after = unsafe row + t &* step
      for i in 0..<count {
        unsafe out[i] += tap * (before[i] + after[i])
      }
    }
  }
}
