import PixelTypes

extension CompiledKernels {
  /// `sums[i] += weight * row[i]`.
  public static func accumulate(
    _ sums: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ weight: Float,
    _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] += weight * row[i]
    }
  }
}
