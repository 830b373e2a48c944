import PixelTypes

extension CompiledKernels {
  package static func brightenRow(
    _ row: Bytes, _ curve: LightCurve, _ out: MutableBytes, _ count: Int
  ) {
    let low = Int16(curve.low)
    for i in 0..<count {
      var x = unsafe level(Int16(row[i]), low)
      x = highHalf(gain(x, curve), x) &<< 3
      x = highHalf(gain(x, curve), x) &<< 3
      x = highHalf(gain(x, curve), x) &<< 3
      unsafe out[i] = UInt8(truncatingIfNeeded: low &+ (x &+ 64) &>> 7)
    }
  }

  package static func brightenPairs(
    _ row: Bytes, _ top: Bytes, _ bottom: Bytes, _ curve: LightCurve, _ out: MutableBytes,
    _ count: Int
  ) {
    let low = Int16(curve.low)
    let (source, target) = unsafe (UnsafeRawPointer(row), UnsafeMutableRawPointer(out))
    for i in 0..<count {
      var x = unsafe level((Int16(top[2 &* i]) &+ Int16(bottom[2 &* i]) &+ 1) &>> 1, low)
      let first = gain(x, curve)
      x = highHalf(first, x) &<< 3
      let second = gain(x, curve)
      x = highHalf(second, x) &<< 3
      let factor = highHalf(highHalf(first, second) &<< 2, gain(x, curve)) &<< 3
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let result = scaled(pair & 255, factor) | scaled(pair &>> 8, factor) &<< 8
      unsafe target.storeBytes(of: result, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Returns the distance of luma from black, in units of 1/128.
  @inline(__always) private static func level(_ luma: Int16, _ low: Int16) -> Int16 {
    (luma > low ? luma &- low : 0) &<< 7
  }

  /// Returns the gain of a step, in units of 1/8192.
  @inline(__always) private static func gain(_ x: Int16, _ curve: LightCurve) -> Int16 {
    let gain = curve.gain &+ highHalf(curve.slope, x)
    return gain > 8192 ? gain : 8192
  }

  /// Multiplies the distance of a chroma value from 128 by a factor in units of 1/4096.
  @inline(__always) private static func scaled(_ chroma: UInt16, _ factor: Int16) -> UInt16 {
    let distance = (Int16(truncatingIfNeeded: chroma) &- 128) &<< 7
    let value = (highHalf(distance, factor) &+ 4) &>> 3 &+ 128
    let positive = value < 0 ? 0 : value
    return UInt16(truncatingIfNeeded: positive > 255 ? 255 : positive)
  }

  /// Returns the high half of a product.
  @inline(__always) private static func high(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(a) &* UInt32(b)) &>> 16)
  }

  package static func pastWeights(
    _ row: Bytes, _ matte: Bytes, _ past: MutableWords, _ noise: UInt16, _ maxWeight: UInt8,
    _ out: MutableBytes, _ count: Int
  ) {
    let maxWeight = UInt16(maxWeight)
    let loss = UInt16(truncatingIfNeeded: UInt32(maxWeight) &* 65536 / (UInt32(noise) &+ 1))
    for i in 0..<count {
      let new = unsafe UInt16(row[i]) &<< 8 | 1
      let old = unsafe past[i]
      let difference = new > old ? new &- old : old &- new
      let excess = difference > noise ? difference &- noise : 0
      let lost = high(excess < noise ? excess : noise, loss)
      let isPerson = unsafe matte[i] == 255
      let weight = isPerson && old != 0 && excess < noise ? maxWeight &- lost : 0
      let share = (255 &- weight) &* 257
      let mean = weight == 0 ? new : old &- high(old, share) &+ high(new, share) | 1
      unsafe past[i] = isPerson ? mean : 0
      unsafe out[i] = UInt8(truncatingIfNeeded: weight)
    }
  }
}
