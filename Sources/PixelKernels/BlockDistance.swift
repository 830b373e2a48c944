import PixelTypes

extension CompiledKernels {
  /// How far two blocks of 8 by 8 samples are apart.
  public static func blockDistance(
    _ a: UnsafePointer<UInt8>, _ aStride: Int, _ b: UnsafePointer<UInt8>, _ bStride: Int
  ) -> Int {
    var sum: UInt32 = 0
    for y in 0..<8 {
      let (first, second) = unsafe (a + y &* aStride, b + y &* bStride)
      for x in 0..<8 {
        let difference = unsafe Int32(first[x]) &- Int32(second[x])
        sum &+= difference.magnitude
      }
    }
    return Int(sum)
  }
}
