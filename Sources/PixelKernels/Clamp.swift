extension CompiledKernels {
  /// `value` limited to `low ... high`; not-a-number becomes `low`.
  ///
  /// The order of the operands is that of the minimum and maximum instructions, so that each
  /// comparison becomes one of them.
  @inline(__always) static func clamped(_ value: Float, _ low: Float, _ high: Float) -> Float {
    let raised = value > low ? value : low
    return raised < high ? raised : high
  }

  /// `value` rounded to the nearest byte, halves to even; not-a-number becomes 0.
  ///
  /// Adding 2^23 leaves the rounded value in the low bits of the sum. `UInt8(value)` would check
  /// the range of each sample and keep the loop from being vectorised.
  @inline(__always) static func roundedByte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (clamped(value, 0, 255) + 8_388_608).bitPattern)
  }
}
