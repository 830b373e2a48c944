import PixelTypes

extension CompiledKernels {
  /// YCbCr to RGB, planar or interleaved; not-a-number becomes `coefficients.low`.
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
        let y = unsafe c.luma * luma[i] + c.offset
        let b = unsafe cb[i] - 128
        let r = unsafe cr[i] - 128
        unsafe pixels[3 &* i] = clamped(y + c.redFromCr * r, c.low, c.high)
        unsafe pixels[3 &* i &+ 1] = clamped(
          y + c.greenFromCb * b + c.greenFromCr * r, c.low, c.high)
        unsafe pixels[3 &* i &+ 2] = clamped(y + c.blueFromCb * b, c.low, c.high)
      }
    } else {
      for i in 0..<count {
        let y = unsafe c.luma * luma[i] + c.offset
        let b = unsafe cb[i] - 128
        let r = unsafe cr[i] - 128
        unsafe red[i &* step] = clamped(y + c.redFromCr * r, c.low, c.high)
        unsafe green[i &* step] = clamped(
          y + c.greenFromCb * b + c.greenFromCr * r, c.low, c.high)
        unsafe blue[i &* step] = clamped(y + c.blueFromCb * b, c.low, c.high)
      }
    }
  }
}
