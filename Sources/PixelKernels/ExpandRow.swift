import PixelTypes

extension CompiledKernels {
  /// Interpolates between neighbouring samples of a row.
  ///
  /// The pairs of samples are gathered first, some hundred at a time, so that the arithmetic is
  /// vectorised: twice as fast as both in one loop. Four pairs are stored at once, which the wide
  /// loads that follow do not have to wait for as long.
  public static func expandRow(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    // Up to 1024 bytes never come from the heap.
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 512) { gathered in
      guard let pairs = gathered.baseAddress else { return }
      var first = 0
      while first < count {
        let length = count &- first < 512 ? count &- first : 512
        let chunkWeights = unsafe weights + first
        let chunkOut = unsafe out + first
        unsafe gatherPairs(UnsafeRawPointer(row), positions + first, pairs, length)
        for i in 0..<length {
          // At most 255 * 256 + 128, which 16 bits hold.
          let weight = unsafe UInt16(chunkWeights[i])
          let (s, t) = unsafe (pairs[i] & 255, pairs[i] &>> 8)
          let sum = s &* (256 &- weight) &+ t &* weight
          unsafe chunkOut[i] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
        }
        first &+= 512
      }
    }
  }

  /// Copies the two samples at each position, the first in the low byte.
  @inline(__always) private static func gatherPairs(
    _ samples: UnsafeRawPointer, _ positions: UnsafePointer<UInt16>,
    _ pairs: UnsafeMutablePointer<UInt16>, _ length: Int
  ) {
    let target = UnsafeMutableRawPointer(pairs)
    var i = 0
    while i &+ 4 <= length {
      let a = unsafe UInt64(pair(samples, positions[i]))
      let b = unsafe UInt64(pair(samples, positions[i &+ 1]))
      let c = unsafe UInt64(pair(samples, positions[i &+ 2]))
      let d = unsafe UInt64(pair(samples, positions[i &+ 3]))
      let four = (a | b &<< 16) | (c &<< 32 | d &<< 48)
      unsafe target.storeBytes(of: four.littleEndian, toByteOffset: 2 &* i, as: UInt64.self)
      i &+= 4
    }
    while i < length {
      unsafe pairs[i] = pair(samples, positions[i])
      i &+= 1
    }
  }

  @inline(__always) private static func pair(
    _ samples: UnsafeRawPointer, _ position: UInt16
  ) -> UInt16 {
    unsafe samples.loadUnaligned(fromByteOffset: Int(position), as: UInt16.self).littleEndian
  }
}

extension CompiledKernels {
  /// `expandRow` for interleaved pairs.
  public static func expandPairs(
    _ row: UnsafePointer<UInt8>, _ positions: UnsafePointer<UInt16>,
    _ weights: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let samples = unsafe UnsafeRawPointer(row)
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 512) { gathered in
      guard let before = gathered.baseAddress else { return }
      let after = unsafe before + 256
      var first = 0
      while first < count {
        let length = count &- first < 256 ? count &- first : 256
        let chunkPositions = unsafe positions + first
        let chunkWeights = unsafe weights + first
        let chunkOut = unsafe UnsafeMutableRawPointer(out + 2 &* first)
        for i in 0..<length {
          let both = unsafe samples.loadUnaligned(
            fromByteOffset: 2 &* Int(chunkPositions[i]), as: UInt32.self
          ).littleEndian
          unsafe before[i] = UInt16(truncatingIfNeeded: both)
          unsafe after[i] = UInt16(truncatingIfNeeded: both &>> 16)
        }
        for i in 0..<length {
          let weight = unsafe UInt16(chunkWeights[i])
          let (s, t) = unsafe (before[i], after[i])
          let cb = (s & 255) &* (256 &- weight) &+ (t & 255) &* weight &+ 128
          let cr = (s &>> 8) &* (256 &- weight) &+ (t &>> 8) &* weight &+ 128
          let pair = (cb &>> 8) | (cr & 0xff00)
          unsafe chunkOut.storeBytes(
            of: pair.littleEndian, toByteOffset: 2 &* i, as: UInt16.self)
        }
        first &+= 256
      }
    }
  }
}
