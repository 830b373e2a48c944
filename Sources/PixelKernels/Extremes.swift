import PixelTypes

extension PortableKernels {
  /// `out[i] = max(a[i], b[i])`.
  public static func maximumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    for i in 0..<count {
      let (x, y) = unsafe (a[i], b[i])
      unsafe out[i] = x > y ? x : y
    }
  }

  /// `out[i] = min(a[i], b[i])`.
  public static func minimumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    for i in 0..<count {
      let (x, y) = unsafe (a[i], b[i])
      unsafe out[i] = x < y ? x : y
    }
  }
}
