import PixelTypes

extension CompiledKernels {
  /// YCbCr to RGB, planar or interleaved; not-a-number becomes the channel's `low`.
  public static func convertToRGB(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
    _ coefficients: RGBCoefficients, _ red: UnsafeMutablePointer<Float>,
    _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, _ step: Int,
    _ count: Int
  ) {
    let c = coefficients
    if step == 3, unsafe green == red + 1, unsafe blue == red + 2 {
      // Written through one pointer, so that the compiler sees three neighbours and no overlap.
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
}
