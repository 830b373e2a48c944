import PixelTypes

extension CompiledKernels {
  /// Moves the steady matte towards the new one.
  public static func steady(
    _ steady: UnsafeMutablePointer<Float>, _ new: UnsafePointer<Float>, _ base: Float,
    _ gain: Float, _ count: Int
  ) {
    for i in 0..<count {
      let old = unsafe steady[i]
      let difference = unsafe new[i] - old
      let share = base + gain * difference.magnitude
      let moved = old + difference * (share < 1 ? share : 1)
      // Also drops not-a-number, which would otherwise stay in the matte for ever.
      unsafe steady[i] = moved > 0 ? moved : 0
    }
  }
}
