import PixelTypes

extension PortableKernels {
  /// YCbCr to RGB, planar or interleaved; not-a-number becomes `coefficients.low`.
  public static func convertToRGB(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
    _ coefficients: RGBCoefficients, _ red: UnsafeMutablePointer<Float>,
    _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, _ step: Int,
    _ count: Int
  ) {
    let c = coefficients
    for i in 0..<count {
      let y = unsafe c.luma * luma[i] + c.offset
      let b = unsafe cb[i] - 128
      let r = unsafe cr[i] - 128
      unsafe red[i &* step] = clamped(y + c.redFromCr * r, c.low, c.high)
      unsafe green[i &* step] = clamped(y + c.greenFromCb * b + c.greenFromCr * r, c.low, c.high)
      unsafe blue[i &* step] = clamped(y + c.blueFromCb * b, c.low, c.high)
    }
  }
}
