import PixelTypes

extension PortableKernels {
  /// Interpolates between neighbouring samples of a row.
  public static func expandRow(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let samples = UnsafeRawPointer(row)
    for i in 0..<count {
      // One load for both samples; the loop is bound by its loads.
      let both = unsafe UInt32(
        samples.loadUnaligned(fromByteOffset: Int(positions[i]), as: UInt16.self).littleEndian)
      let weight = unsafe UInt32(weights[i])
      let s = both & 255
      let sum = (s &<< 8) &+ weight &* ((both &>> 8) &- s)
      unsafe out[i] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
    }
  }
}

extension PortableKernels {
  /// `expandRow` for interleaved pairs.
  public static func expandPairs(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      let samples = unsafe row + 2 &* Int(positions[i])
      let weight = unsafe UInt32(weights[i])
      let rest = 256 &- weight
      let first = unsafe UInt32(samples[0]) &* rest &+ UInt32(samples[2]) &* weight
      let second = unsafe UInt32(samples[1]) &* rest &+ UInt32(samples[3]) &* weight
      unsafe out[2 &* i] = UInt8(truncatingIfNeeded: (first &+ 128) &>> 8)
      unsafe out[2 &* i &+ 1] = UInt8(truncatingIfNeeded: (second &+ 128) &>> 8)
    }
  }
}
