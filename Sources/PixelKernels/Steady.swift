import PixelTypes

extension CompiledKernels {
  /// Moves the steady matte towards the new one.
  public static func steady(
    _ steady: UnsafeMutablePointer<Float>, _ matte: UnsafeMutablePointer<UInt8>,
    _ motion: UnsafePointer<UInt8>, _ leastShare: Float, _ hesitation: Float, _ count: Int
  ) {
    let rest = 1 - leastShare
    let ofByte: Float = 1 / 255
    for i in 0..<count {
      let old = unsafe steady[i]
      let new = unsafe Float(matte[i])
      let moving = unsafe Float(motion[i]) * ofByte
      let difference = new - old
      let disagreement = difference.magnitude * ofByte
      let reason = disagreement > moving ? disagreement : moving
      let share = leastShare + rest * reason
      let doubt = new * ofByte * (1 - new * ofByte) * 4 * (1 - moving)
      let moved = old + difference * (share * (1 - hesitation * doubt))
      unsafe steady[i] = moved
      unsafe matte[i] = roundedByte(moved)
    }
  }
}
