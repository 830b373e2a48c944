import PixelTypes

extension CompiledKernels {
  /// Rounds samples of 16 bits to 8, halves up.
  public static func narrowRow(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let source = unsafe UnsafeRawPointer(row)
    for i in 0..<count {
      let word = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      unsafe out[i] = UInt8(truncatingIfNeeded: (min(word, 0xFF7F) &+ 128) &>> 8)
    }
  }

  /// Puts samples of 8 bits into the upper bits of 16.
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
