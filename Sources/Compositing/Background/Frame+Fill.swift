import PixelTypes

extension Frame {
  /// Fills the frame with a colour: red, green and blue are its low 24 bits, the high 8 are not
  /// looked at.
  public func fill(with color: UInt32, in colorimetry: Colorimetry) {
    let (lumaCode, cb, cr) = colorimetry.codeValues(
      red: UInt8(truncatingIfNeeded: color >> 16), green: UInt8(truncatingIfNeeded: color >> 8),
      blue: UInt8(truncatingIfNeeded: color))
    for y in 0..<luma.height {
      unsafe luma.row(y).update(repeating: lumaCode, count: luma.width)
    }
    for y in 0..<chroma.height {
      let row = unsafe chroma.row(y)
      for x in stride(from: 0, to: chroma.width, by: 2) {
        unsafe row[x] = cb
        unsafe row[x + 1] = cr
      }
    }
  }
}
