import PixelTypes

extension CompiledKernels {
  /// How far two rows are apart.
  public static func differRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    for i in 0..<count {
      let (first, second) = unsafe (a[i], b[i])
      unsafe out[i] = first > second ? first &- second : second &- first
    }
  }
}
