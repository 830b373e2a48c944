import PixelTypes

extension CompiledKernels {
  /// Interleaves two rows of samples as pairs.
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

  /// Separates pairs into two rows.
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

  /// Swaps the two samples of each pair.
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

  /// Averages neighbours, for the alpha of chroma.
  ///
  /// A pair is one 16-bit word. The average of its bytes is written to both.
  public static func averagePairs(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let source = unsafe UnsafeRawPointer(row)
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let mean = ((pair & 255) &+ (pair &>> 8) &+ 1) &>> 1
      unsafe target.storeBytes(of: mean | (mean &<< 8), toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Rounds samples of 16 bits to 8 bits, and halves upwards.
  public static func narrowRow(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let source = unsafe UnsafeRawPointer(row)
    for i in 0..<count {
      let word = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      unsafe out[i] = UInt8(truncatingIfNeeded: (min(word, 0xFF7F) &+ 128) &>> 8)
    }
  }

  /// Moves 8-bit samples to the upper bits of 16-bit samples.
  public static func widenRow(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let word = unsafe (UInt16(row[i]) &<< 8).littleEndian
      unsafe target.storeBytes(of: word, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }
}
