import PixelTypes

// In place each way on its own: the check for overlap that guards the vectorised loop would send
// a row that is written in place through the scalar one.

extension CompiledKernels {
  /// `out[i] = max(a[i], b[i])`.
  public static func maximumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    if unsafe out == UnsafeMutablePointer(mutating: a) {
      for i in 0..<count { unsafe out[i] = greater(out[i], b[i]) }
    } else if unsafe out == UnsafeMutablePointer(mutating: b) {
      for i in 0..<count { unsafe out[i] = greater(out[i], a[i]) }
    } else {
      for i in 0..<count { unsafe out[i] = greater(a[i], b[i]) }
    }
  }

  /// `out[i] = min(a[i], b[i])`.
  public static func minimumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    if unsafe out == UnsafeMutablePointer(mutating: a) {
      for i in 0..<count { unsafe out[i] = lesser(out[i], b[i]) }
    } else if unsafe out == UnsafeMutablePointer(mutating: b) {
      for i in 0..<count { unsafe out[i] = lesser(out[i], a[i]) }
    } else {
      for i in 0..<count { unsafe out[i] = lesser(a[i], b[i]) }
    }
  }

  @inline(__always) private static func greater(_ x: UInt8, _ y: UInt8) -> UInt8 { x > y ? x : y }

  @inline(__always) private static func lesser(_ x: UInt8, _ y: UInt8) -> UInt8 { x < y ? x : y }
}
