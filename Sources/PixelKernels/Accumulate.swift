import PixelTypes

extension CompiledKernels {
  /// `sums[i] += weight * Float(row[i])`.
  public static func accumulateBytes(
    _ sums: UnsafeMutablePointer<Float>, _ row: UnsafePointer<UInt8>, _ weight: Float,
    _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] += weight * Float(row[i])
    }
  }

  /// `sums[i] += weight * row[i]`.
  public static func accumulate(
    _ sums: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ weight: Float,
    _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] += weight * row[i]
    }
  }

  /// `sums[i] += weight * (a[i] + b[i])`.
  public static func accumulateTwo(
    _ sums: UnsafeMutablePointer<Float>, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    _ weight: Float, _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] += weight * (a[i] + b[i])
    }
  }
}
