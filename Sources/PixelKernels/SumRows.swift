import PixelTypes

extension CompiledKernels {
  /// The sums of two rows, whatever was there before.
  public static func sumTwoRows(
    _ sums: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] = UInt16(a[i]) &+ UInt16(b[i])
    }
  }

  /// The sums of four rows, whatever was there before.
  public static func sumFourRows(
    _ sums: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    _ c: UnsafePointer<UInt8>, _ d: UnsafePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] = (UInt16(a[i]) &+ UInt16(b[i])) &+ (UInt16(c[i]) &+ UInt16(d[i]))
    }
  }

  /// Four rows at once: the sums are read and written once for all of them.
  public static func addFourRows(
    _ sums: UnsafeMutablePointer<UInt16>, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    _ c: UnsafePointer<UInt8>, _ d: UnsafePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] &+= (UInt16(a[i]) &+ UInt16(b[i])) &+ (UInt16(c[i]) &+ UInt16(d[i]))
    }
  }
}
