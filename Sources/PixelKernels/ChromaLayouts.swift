import PixelTypes

extension CompiledKernels {
  /// Brings two rows of samples together as pairs.
  ///
  /// A pair is one 16-bit word.
  public static func interleaveRows(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe UInt16(first[i]) | (UInt16(second[i]) &<< 8)
      unsafe target.storeBytes(of: pair.littleEndian, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Takes pairs apart.
  public static func deinterleaveRow(
    _ row: UnsafePointer<UInt8>, _ first: UnsafeMutablePointer<UInt8>,
    _ second: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let source = unsafe UnsafeRawPointer(row)
    for i in 0..<count {
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      unsafe first[i] = UInt8(truncatingIfNeeded: pair)
      unsafe second[i] = UInt8(truncatingIfNeeded: pair &>> 8)
    }
  }

  /// Exchanges the two samples of each pair.
  public static func swapPairs(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let source = unsafe UnsafeRawPointer(row)
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      unsafe target.storeBytes(
        of: (pair &>> 8) | (pair &<< 8), toByteOffset: 2 &* i, as: UInt16.self)
    }
  }
}
