import PixelTypes

extension PortableKernels {
  /// Interpolates between neighbouring samples of a row.
  public static func expandRow(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      let samples = unsafe row + Int(positions[i])
      let weight = unsafe UInt32(weights[i])
      let sum = unsafe UInt32(samples[0]) &* (256 &- weight) &+ UInt32(samples[1]) &* weight
      unsafe out[i] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
    }
  }
}
