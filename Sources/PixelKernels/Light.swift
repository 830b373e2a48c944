import PixelTypes

extension CompiledKernels {
  package static func relightRow(_ row: MutableBytes, _ curve: LightCurve, _ count: Int) {
    let (low, black, slope) = (Int16(curve.low), curve.gain, curve.slope)
    for i in 0..<count {
      let code = unsafe Int16(row[i])
      let scaled = (code &- low) &<< 7
      let gain = black &+ highHalf(slope, scaled)
      let relit = low &+ ((highHalf(gain, scaled) &+ 8) &>> 4)
      let limited = relit > 255 ? 255 : relit
      unsafe row[i] = UInt8(truncatingIfNeeded: code > low ? limited : code)
    }
  }

  package static func relightPairs(_ row: MutableBytes, _ curve: LightCurve, _ count: Int) {
    let saturation = curve.saturation
    // Half a unit for the rounding.
    let (first, second) = (curve.cb &+ 64, curve.cr &+ 64)
    for i in 0..<count {
      let cb = unsafe (saturation &* (Int16(row[2 &* i]) &- 128) &+ first) &>> 7
      let cr = unsafe (saturation &* (Int16(row[2 &* i &+ 1]) &- 128) &+ second) &>> 7
      unsafe row[2 &* i] = chromaByte(cb)
      unsafe row[2 &* i &+ 1] = chromaByte(cr)
    }
  }

  /// Returns the product, divided by 65536 and rounded down.
  @inline(__always)
  static func highHalf(_ a: Int16, _ b: Int16) -> Int16 {
    Int16(truncatingIfNeeded: (Int32(a) &* Int32(b)) &>> 16)
  }

  @inline(__always)
  private static func chromaByte(_ chroma: Int16) -> UInt8 {
    let raised = chroma < -128 ? -128 : chroma
    let limited = raised > 127 ? 127 : raised
    return UInt8(truncatingIfNeeded: limited &+ 128)
  }
}
