import PixelTypes

extension CompiledKernels {
  /// Averages neighbours, for the alpha of chroma.
  ///
  /// A pair is one 16-bit word, whose bytes are summed and put back twice.
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
}
