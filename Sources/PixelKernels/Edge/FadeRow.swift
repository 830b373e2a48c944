import PixelTypes

extension CompiledKernels {
  /// Replaces a row by the person's colour where it is more room than person.
  public static func fadeRow(
    _ row: UnsafeMutablePointer<UInt8>, _ personTop: UnsafePointer<UInt8>,
    _ personBottom: UnsafePointer<UInt8>, _ weight: Int, _ alphaTop: UnsafePointer<UInt8>,
    _ alphaBottom: UnsafePointer<UInt8>, _ alphaWeight: Int, _ count: Int
  ) {
    let below = UInt16(truncatingIfNeeded: weight)
    let above = 256 &- below
    let alphaBelow = UInt16(truncatingIfNeeded: alphaWeight)
    let alphaAbove = 256 &- alphaBelow
    for i in 0..<count {
      let person = unsafe mixed(personTop[i], personBottom[i], above, below)
      let alpha = unsafe mixed(alphaTop[i], alphaBottom[i], alphaAbove, alphaBelow)
      let excess = alpha > 127 ? alpha &- 127 : 0
      let share = excess < 64 ? 4 &* excess : 255
      // Division by 255, rounded to nearest, as in `blendRow`.
      let sum = unsafe UInt16(row[i]) &* share &+ person &* (255 &- share) &+ 128
      unsafe row[i] = UInt8(truncatingIfNeeded: (sum &+ (sum &>> 8)) &>> 8)
    }
  }
}
