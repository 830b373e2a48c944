import PixelTypes

extension CompiledKernels {
  // NaN becomes the channel's `low`.
  package static func convertToRGB(
    _ luma: Floats, _ cb: Floats, _ cr: Floats, _ coefficients: RGBCoefficients,
    _ red: MutableFloats, _ green: MutableFloats, _ blue: MutableFloats, _ step: Int, _ count: Int
  ) {
    let c = coefficients
    @inline(__always) func channels(_ i: Int) -> (red: Float, green: Float, blue: Float) {
      let (y, b, r) = unsafe (luma[i], cb[i] - 128, cr[i] - 128)
      return (
        clamped(c.red.luma * y + c.red.offset + c.redFromCr * r, c.red.low, c.red.high),
        clamped(
          c.green.luma * y + c.green.offset + c.greenFromCb * b + c.greenFromCr * r, c.green.low,
          c.green.high),
        clamped(c.blue.luma * y + c.blue.offset + c.blueFromCb * b, c.blue.low, c.blue.high)
      )
    }
    if step == 3, unsafe green == red + 1, unsafe blue == red + 2 {
      // Write through one pointer, so that the compiler sees three neighbours and no overlap.
      let pixels = unsafe red
      for i in 0..<count {
        let at = 3 &* i
        unsafe (pixels[at], pixels[at &+ 1], pixels[at &+ 2]) = channels(i)
      }
    } else {
      for i in 0..<count {
        let at = i &* step
        unsafe (red[at], green[at], blue[at]) = channels(i)
      }
    }
  }

  // A pixel is one 32-bit word.
  package static func packRGB(
    _ luma: Bytes, _ chroma: Bytes, _ alpha: Bytes, _ coefficients: FixedRGBCoefficients,
    _ order: PixelByteOrder, _ out: MutableBytes, _ count: Int
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

  package static func packYUV(
    _ luma: Bytes, _ chroma: Bytes, _ alpha: Bytes, _ black: UInt8, _ out: MutableBytes,
    _ count: Int
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

  package static func quantize(_ row: Floats, _ out: MutableBytes, _ count: Int) {
    for i in 0..<count { unsafe out[i] = roundedByte(255 * row[i]) }
  }
}
