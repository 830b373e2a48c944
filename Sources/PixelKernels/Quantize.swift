import PixelTypes

extension CompiledKernels {
  /// Floats in 0 to 1 to bytes, halves to even.
  public static func quantize(
    _ row: UnsafePointer<Float>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      unsafe out[i] = roundedByte(255 * row[i])
    }
  }
}
