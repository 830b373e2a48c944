import PixelTypes

/// The row kernels as plain loops, compiled for the target of the containing module.
///
/// These sources are both the specification and the portable build. The same files are compiled
/// again for wider instruction sets and must give the same bits there. This requires:
///
/// - Plain loops over pointers.
/// - Wrapping operators in the narrowest integer type that is exact, which the compiler vectorises
///   for each instruction set.
/// - No fused multiply-add.
/// - No generic function that is not inlined: the builds would share its weak symbol, and the
///   linker would keep an arbitrary one.
///
/// Safety: each kernel accesses only the samples that its comment in `RowKernels` specifies. The
/// caller owns the memory. A kernel does not store pointers.
package enum CompiledKernels: RowKernels {
  /// Returns `value` limited to `low ... high`, or `low` for NaN.
  ///
  /// The operands have the order of the minimum and maximum instructions, so that each comparison
  /// becomes one instruction.
  @inline(__always) static func clamped(_ value: Float, _ low: Float, _ high: Float) -> Float {
    let raised = value > low ? value : low
    return raised < high ? raised : high
  }

  /// Returns `value` rounded to the nearest byte, halves to even, or 0 for NaN.
  ///
  /// Adding 2^23 leaves the rounded value in the low bits of the sum. `UInt8(value)` would check
  /// the range of each sample and keep the loop from being vectorised.
  @inline(__always) static func roundedByte(_ value: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (clamped(value, 0, 255) + 8_388_608).bitPattern)
  }

  /// Returns the mean of two samples by weights with the sum 256, rounded to nearest, halves up.
  ///
  /// The result is at most 255. The sum before the shift is at most 255 * 256 + 128, which fits in
  /// 16 bits.
  @inline(__always) static func mixed(
    _ top: UInt8, _ bottom: UInt8, _ above: UInt16, _ below: UInt16
  ) -> UInt16 {
    (UInt16(top) &* above &+ UInt16(bottom) &* below &+ 128) &>> 8
  }
}
