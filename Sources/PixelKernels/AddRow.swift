import PixelTypes

extension CompiledKernels {
  /// `sums[i] += row[i]`, modulo 65536.
  public static func addRow(
    _ sums: UnsafeMutablePointer<UInt16>, _ row: UnsafePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] &+= UInt16(row[i])
    }
  }
}
