import PixelTypes

extension CompiledKernels {
  // NaN becomes the channel's `low`.
  package static func convertToRGB(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
    _ coefficients: RGBCoefficients, _ red: UnsafeMutablePointer<Float>,
    _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, _ step: Int,
    _ count: Int
  ) {
    let c = coefficients
    if step == 3, unsafe green == red + 1, unsafe blue == red + 2 {
      // Write through one pointer, so that the compiler sees three neighbours and no overlap.
      let pixels = unsafe red
      for i in 0..<count {
        let y = unsafe luma[i]
        let b = unsafe cb[i] - 128
        let r = unsafe cr[i] - 128
        unsafe pixels[3 &* i] = clamped(
          c.red.luma * y + c.red.offset + c.redFromCr * r, c.red.low, c.red.high)
        unsafe pixels[3 &* i &+ 1] = clamped(
          c.green.luma * y + c.green.offset + c.greenFromCb * b + c.greenFromCr * r,
          c.green.low, c.green.high)
        unsafe pixels[3 &* i &+ 2] = clamped(
          c.blue.luma * y + c.blue.offset + c.blueFromCb * b, c.blue.low, c.blue.high)
      }
    } else {
      for i in 0..<count {
        let y = unsafe luma[i]
        let b = unsafe cb[i] - 128
        let r = unsafe cr[i] - 128
        unsafe red[i &* step] = clamped(
          c.red.luma * y + c.red.offset + c.redFromCr * r, c.red.low, c.red.high)
        unsafe green[i &* step] = clamped(
          c.green.luma * y + c.green.offset + c.greenFromCb * b + c.greenFromCr * r,
          c.green.low, c.green.high)
        unsafe blue[i &* step] = clamped(
          c.blue.luma * y + c.blue.offset + c.blueFromCb * b, c.blue.low, c.blue.high)
      }
    }
  }

  // A pixel is one 32-bit word.
  package static func packRGB(
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

  package static func packYUV(
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

  package static func quantize(
    _ row: UnsafePointer<Float>, _ out: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for i in 0..<count {
      unsafe out[i] = roundedByte(255 * row[i])
    }
  }
}
