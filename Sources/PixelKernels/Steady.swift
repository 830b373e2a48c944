import PixelTypes

extension PortableKernels {
  /// Moves the steady matte towards the new one.
  public static func steady(
    _ steady: UnsafeMutablePointer<Float>, _ new: UnsafePointer<Float>, _ base: Float,
    _ gain: Float, _ count: Int
  ) {
    for i in 0..<count {
      let old = unsafe steady[i]
      let target = unsafe new[i]
      let difference = target - old
      let share = base + gain * difference.magnitude
      let moved = old + difference * (share < 1 ? share : 1)
      // Without this a single not-a-number would stay in the matte for ever.
      unsafe steady[i] = moved == moved ? moved : target
    }
  }
}
