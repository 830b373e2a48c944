import PixelTypes

/// The row kernels as plain loops, built for whatever the module that holds them is built for.
///
/// These sources are the specification as much as the portable build: the same files are compiled
/// again for wider instruction sets and must give the same bits there. Hence plain loops over
/// pointers, wrapping operators in the narrowest integer type that is exact (the compiler vectorises
/// those for each instruction set), no fused multiply-add, and nothing generic that is not inlined:
/// its weak symbol would be shared by the builds, and the linker would keep that of any of them.
///
/// Safety: each kernel reads and writes exactly the samples that its comment in `RowKernels` names,
/// through pointers that the caller owns, and keeps none of them.
public enum CompiledKernels: RowKernels {}

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

  /// The mean of two samples by weights of 256 in sum, rounded to nearest, halves up: at most 255, and
  /// before the shift 255 * 256 + 128, which 16 bits hold.
  @inline(__always) static func mixed(
    _ top: UInt8, _ bottom: UInt8, _ above: UInt16, _ below: UInt16
  ) -> UInt16 {
    (UInt16(top) &* above &+ UInt16(bottom) &* below &+ 128) &>> 8
  }
}
