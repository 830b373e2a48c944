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

  /// Returns `sum / 255`, rounded to nearest, which is exact for sums of up to 255 * 255.
  @inline(__always) static func dividedBy255(_ sum: UInt16) -> UInt16 {
    let rounded = sum &+ 128
    return (rounded &+ (rounded &>> 8)) &>> 8
  }

  /// Writes a function of the samples of two rows.
  ///
  /// Each in-place case has its own loop. Otherwise the overlap check before the vectorised loop
  /// would select the scalar loop for a row that is written in place.
  @inline(__always) static func combine(
    _ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int,
    _ combined: (_ a: UInt8, _ b: UInt8) -> UInt8
  ) {
    if unsafe out == MutableBytes(mutating: a) {
      for i in 0..<count { unsafe out[i] = combined(out[i], b[i]) }
    } else if unsafe out == MutableBytes(mutating: b) {
      for i in 0..<count { unsafe out[i] = combined(a[i], out[i]) }
    } else {
      for i in 0..<count { unsafe out[i] = combined(a[i], b[i]) }
    }
  }

  /// Mixes the samples of two rows by weights with the sum 256, rounded to nearest, halves up.
  ///
  /// A result is at most 255. The sum before the shift is at most 255 * 256 + 128, which fits in 16
  /// bits.
  @safe struct Mixture {
    private let top: Bytes, bottom: Bytes
    private let above: UInt16, below: UInt16

    @inline(__always) init(_ rows: RowBetween) {
      unsafe (top, bottom) = (rows.top, rows.bottom)
      below = UInt16(truncatingIfNeeded: rows.weight)
      above = 256 &- below
    }

    @inline(__always) func mixed(_ top: UInt8, _ bottom: UInt8) -> UInt16 {
      (UInt16(top) &* above &+ UInt16(bottom) &* below &+ 128) &>> 8
    }

    @inline(__always) subscript(_ i: Int) -> UInt16 { unsafe mixed(top[i], bottom[i]) }
  }
}
