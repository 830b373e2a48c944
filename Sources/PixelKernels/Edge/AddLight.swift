import PixelTypes

extension CompiledKernels {
  /// Adds light to a row, within a range.
  public static func addLight(
    _ row: UnsafeMutablePointer<UInt8>, _ top: UnsafePointer<UInt8>,
    _ bottom: UnsafePointer<UInt8>, _ weight: Int, _ low: UInt8, _ high: UInt8, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    let (least, greatest) = (UInt16(low) &+ 128, UInt16(high) &+ 128)
    for i in 0..<count {
      let light = unsafe mixed(top[i], bottom[i], above, below)
      // 128 too much, so that nothing is negative.
      let sum = unsafe UInt16(row[i]) &+ light
      let raised = sum > least ? sum : least
      let limited = raised < greatest ? raised : greatest
      unsafe row[i] = UInt8(truncatingIfNeeded: limited &- 128)
    }
  }
}
