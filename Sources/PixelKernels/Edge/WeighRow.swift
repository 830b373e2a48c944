import PixelTypes

extension CompiledKernels {
  /// How much a sample of the matte is room.
  public static func roomWeights(
    _ row: UnsafePointer<UInt8>, _ slope: Float, _ least: Float,
    _ out: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for i in 0..<count {
      let weight = unsafe 1 - slope * Float(row[i])
      unsafe out[i] = weight > least ? weight : least
    }
  }

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
      let pairs = count &>> 1
      for i in 0..<pairs {
        let weight = unsafe weights[i]
        unsafe out[2 &* i] = weight * Float(row[2 &* i])
        unsafe out[2 &* i &+ 1] = weight * Float(row[2 &* i &+ 1])
      }
      if count & 1 == 1 {
        unsafe out[2 &* pairs] = weights[pairs] * Float(row[2 &* pairs])
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
      let pairs = count &>> 1
      for i in 0..<pairs {
        let weight = unsafe weights[i]
        unsafe out[2 &* i] = roundedByte(sums[2 &* i] / weight)
        unsafe out[2 &* i &+ 1] = roundedByte(sums[2 &* i &+ 1] / weight)
      }
      if count & 1 == 1 {
        unsafe out[2 &* pairs] = roundedByte(sums[2 &* pairs] / weights[pairs])
      }
    }
  }
}
