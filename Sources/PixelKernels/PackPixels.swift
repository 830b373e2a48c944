import PixelTypes

extension CompiledKernels {
  /// Turns YCbCr and alpha into pixels of red, green, blue and alpha.
  ///
  /// A pixel is one 32-bit word.
  public static func packRGB(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ alpha: UnsafePointer<UInt8>,
    _ coefficients: FixedRGBCoefficients, _ order: PixelByteOrder,
    _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let c = coefficients
    let pairs = unsafe UnsafeRawPointer(chroma)
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe pairs.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      let (b, r) = (Int32(pair & 255), Int32(pair &>> 8))
      let y = unsafe c.luma &* Int32(luma[i])
      let red = clampedByte((y &+ c.redFromCr &* r &+ c.redOffset) &>> 16)
      let green = clampedByte(
        (y &+ c.greenFromCb &* b &+ c.greenFromCr &* r &+ c.greenOffset) &>> 16)
      let blue = clampedByte((y &+ c.blueFromCb &* b &+ c.blueOffset) &>> 16)
      let a = unsafe UInt32(alpha[i])
      let colors = (red &<< order.red) | (green &<< order.green) | (blue &<< order.blue)
      let pixel = a == 0 ? 0 : colors | (a &<< order.alpha)
      unsafe target.storeBytes(of: pixel.littleEndian, toByteOffset: 4 &* i, as: UInt32.self)
    }
  }

  /// Puts alpha, luma and chroma side by side.
  public static func packYUV(
    _ luma: UnsafePointer<UInt8>, _ chroma: UnsafePointer<UInt8>, _ alpha: UnsafePointer<UInt8>,
    _ black: UInt8, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let pairs = unsafe UnsafeRawPointer(chroma)
    let target = UnsafeMutableRawPointer(out)
    let cleared = UInt32(black) &<< 8 | 0x8080_0000
    for i in 0..<count {
      let pair = unsafe pairs.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      let a = unsafe UInt32(alpha[i])
      let colors = unsafe (UInt32(pair) &<< 16) | (UInt32(luma[i]) &<< 8)
      let pixel = a == 0 ? cleared : colors | a
      unsafe target.storeBytes(of: pixel.littleEndian, toByteOffset: 4 &* i, as: UInt32.self)
    }
  }

  @inline(__always) private static func clampedByte(_ value: Int32) -> UInt32 {
    let positive = value < 0 ? 0 : value
    return UInt32(truncatingIfNeeded: positive > 255 ? 255 : positive)
  }
}
