import PixelTypes

extension CompiledKernels {
  /// Returns the high half of a product.
  @inline(__always) private static func high(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(a) &* UInt32(b)) &>> 16)
  }

  /// Returns the curve's first `w` of a luma value.
  @inline(__always) private static func position(
    _ luma: UInt8, _ black: UInt8, _ span: UInt8, _ curve: BrightnessCurve
  ) -> UInt16 {
    let above = (luma > black ? luma : black) &- black
    let bounded = above < span ? above : span
    let w = curve.start &- UInt16(bounded) &* curve.slope
    // Always `w`. Without the comparison, the compiler multiplies in 32 bits.
    return w > curve.end ? w : curve.end
  }

  /// Brightens a row of luma.
  public static func brightenRow(
    _ row: UnsafePointer<UInt8>, _ curve: BrightnessCurve, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    let (black, span) = (curve.black, curve.white &- curve.black)
    for i in 0..<count {
      var w = unsafe position(row[i], black, span, curve)
      w = high(w, w) &+ curve.step
      w = high(w, w) &+ curve.step
      w = high(w, w) &+ curve.step
      let rest = (w > curve.end ? w : curve.end) &- curve.end
      // Always `scale`, for the same reason.
      let scale = curve.scale < rest | 0x8000 ? curve.scale : rest | 0x8000
      let darkness = high(rest, scale)
      unsafe out[i] = UInt8(truncatingIfNeeded: UInt16(curve.white) &- darkness)
    }
  }

  /// Multiplies a row of chroma by the factors of the curve.
  public static func brightenPairs(
    _ row: UnsafePointer<UInt8>, _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>,
    _ curve: BrightnessCurve, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let (black, span) = (curve.black, curve.white &- curve.black)
    let (source, target) = unsafe (UnsafeRawPointer(row), UnsafeMutableRawPointer(out))
    for i in 0..<count {
      let luma = unsafe (UInt16(top[2 &* i]) &+ UInt16(bottom[2 &* i]) &+ 1) &>> 1
      var w = position(UInt8(truncatingIfNeeded: luma), black, span, curve)
      var factor = w &>> 1 &+ curve.chromaOffset
      w = high(w, w) &+ curve.step
      factor = high(factor, w &>> 1 &+ curve.chromaOffset)
      w = high(w, w) &+ curve.step
      factor = high(factor, w &>> 2 &+ curve.chromaOffset &>> 1)
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let result = scaled(pair & 255, factor) | scaled(pair &>> 8, factor) &<< 8
      unsafe target.storeBytes(of: result, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Multiplies the distance of a chroma value from 128 by a factor in units of 1/4096.
  @inline(__always) private static func scaled(_ chroma: UInt16, _ factor: UInt16) -> UInt16 {
    let distance = (Int16(truncatingIfNeeded: chroma) &- 128) &<< 7
    let product = Int32(distance) &* Int32(Int16(truncatingIfNeeded: factor))
    let eighths = Int16(truncatingIfNeeded: product &>> 16)
    let value = (eighths &+ 4) &>> 3 &+ 128
    let positive = value < 0 ? 0 : value
    return UInt16(truncatingIfNeeded: positive > 255 ? 255 : positive)
  }

  /// Computes the weights of earlier frames.
  public static func pastWeights(
    _ row: UnsafePointer<UInt8>, _ matte: UnsafePointer<UInt8>,
    _ past: UnsafeMutablePointer<UInt16>, _ noise: UInt16, _ maxWeight: UInt8,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
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
