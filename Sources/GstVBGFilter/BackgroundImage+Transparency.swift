import PixelTypes

/// Pixels of red, green, blue and alpha bytes, the colours not multiplied by alpha.
extension Raster<UInt32> {
  /// Whether every alpha is 255.
  var isOpaque: Bool {
    let opaque = UInt32(littleEndian: 0xFF00_0000)
    for y in 0..<height {
      var all = opaque
      let row = unsafe row(y)
      for x in 0..<width { unsafe all &= row[x] }
      if all != opaque { return false }
    }
    return true
  }

  /// The pixels over a colour, opaque, each sample exact to the nearest value.
  ///
  /// Blended before it is scaled: scaling colours that alpha hides would bring them to the edges.
  func flattened(over color: UInt32) -> Raster<UInt32> {
    let result = Raster(width: width, height: height, filledWith: 0)
    let (red, green, blue) = (color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF)
    func blend(_ sample: UInt32, _ background: UInt32, _ alpha: UInt32) -> UInt32 {
      (sample &* alpha &+ background &* (255 &- alpha) &+ 127) / 255
    }
    for y in 0..<height {
      let (source, target) = unsafe (row(y), result.row(y))
      for x in 0..<width {
        let pixel = unsafe UInt32(littleEndian: source[x])
        let alpha = pixel >> 24
        let blended =
          blend(pixel & 0xFF, red, alpha) | blend(pixel >> 8 & 0xFF, green, alpha) << 8
          | blend(pixel >> 16 & 0xFF, blue, alpha) << 16 | 0xFF00_0000
        unsafe target[x] = blended.littleEndian
      }
    }
    return result
  }
}
