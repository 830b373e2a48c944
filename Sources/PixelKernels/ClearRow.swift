import PixelTypes

extension CompiledKernels {
  /// Takes the colour away where alpha is 0.
  public static func clearRow(
    _ row: UnsafeMutablePointer<UInt8>, _ alpha: UnsafePointer<UInt8>, _ value: UInt8,
    _ count: Int
  ) {
    for i in 0..<count {
      let sample = unsafe row[i]
      unsafe row[i] = alpha[i] == 0 ? value : sample
    }
  }

  /// Takes chroma away where the alpha of all four pixels is 0.
  public static func clearPairs(
    _ row: UnsafeMutablePointer<UInt8>, _ top: UnsafePointer<UInt8>,
    _ bottom: UnsafePointer<UInt8>, _ value: UInt8, _ count: Int
  ) {
    let (above, below) = unsafe (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
    let target = UnsafeMutableRawPointer(row)
    let cleared = UInt16(value) | (UInt16(value) &<< 8)
    for i in 0..<count {
      let alphas =
        unsafe above.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
        | below.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let pair = unsafe target.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      unsafe target.storeBytes(
        of: alphas == 0 ? cleared : pair, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Brings luma of a limited range to the full one.
  public static func stretchRow(
    _ row: UnsafePointer<UInt8>, _ low: UInt8, _ factor: Int32, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    let offset = 32768 &- factor &* Int32(low)
    for i in 0..<count {
      let value = unsafe (factor &* Int32(row[i]) &+ offset) &>> 16
      let positive = value < 0 ? 0 : value
      unsafe out[i] = UInt8(truncatingIfNeeded: positive > 255 ? 255 : positive)
    }
  }
}
