import PixelTypes

extension PortableKernels {
  /// Interpolates between neighbouring samples of a row.
  ///
  /// The pairs of samples are gathered first, some hundred at a time, so that the arithmetic is
  /// vectorised: twice as fast as both in one loop.
  public static func expandRow(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let samples = unsafe UnsafeRawPointer(row)
    // Up to 1024 bytes never come from the heap.
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 256) { gathered in
      guard let pairs = gathered.baseAddress else { return }
      var first = 0
      while first < count {
        let length = count &- first < 256 ? count &- first : 256
        let chunkPositions = unsafe positions + first
        let chunkWeights = unsafe weights + first
        let chunkOut = unsafe out + first
        for i in 0..<length {
          unsafe pairs[i] =
            samples.loadUnaligned(
              fromByteOffset: Int(chunkPositions[i]), as: UInt16.self
            ).littleEndian
        }
        for i in 0..<length {
          // At most 255 * 256 + 128, which 16 bits hold.
          let weight = unsafe UInt16(chunkWeights[i])
          let (s, t) = unsafe (pairs[i] & 255, pairs[i] &>> 8)
          let sum = s &* (256 &- weight) &+ t &* weight
          unsafe chunkOut[i] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
        }
        first &+= 256
      }
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
