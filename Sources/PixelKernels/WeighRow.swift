import PixelTypes

extension PortableKernels {
  /// Weighs samples for a blur that leaves the person out.
  public static func weighRow(
    _ row: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ repeats: Int,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if repeats == 1 {
      for i in 0..<count {
        unsafe out[i] = weights[i] * Float(row[i])
      }
    } else {
      for i in 0..<count {
        unsafe out[i] = weights[i &>> 1] * Float(row[i])
      }
    }
  }

  /// Undoes the weighing, halves to even; 0 / 0 gives 0.
  public static func unweighRow(
    _ sums: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ repeats: Int,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    if repeats == 1 {
      for i in 0..<count {
        unsafe out[i] = roundedByte(sums[i] / weights[i])
      }
    } else {
      for i in 0..<count {
        unsafe out[i] = roundedByte(sums[i] / weights[i &>> 1])
      }
    }
  }
}
