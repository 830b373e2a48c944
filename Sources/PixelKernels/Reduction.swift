import PixelTypes

extension CompiledKernels {
  package static func sumTwoRows(_ sums: MutableWords, _ a: Bytes, _ b: Bytes, _ count: Int) {
    for i in 0..<count { unsafe sums[i] = UInt16(a[i]) &+ UInt16(b[i]) }
  }

  package static func sumFourRows(
    _ sums: MutableWords, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ d: Bytes, _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] = (UInt16(a[i]) &+ UInt16(b[i])) &+ (UInt16(c[i]) &+ UInt16(d[i]))
    }
  }

  package static func addFourRows(
    _ sums: MutableWords, _ a: Bytes, _ b: Bytes, _ c: Bytes, _ d: Bytes, _ count: Int
  ) {
    for i in 0..<count {
      unsafe sums[i] &+= (UInt16(a[i]) &+ UInt16(b[i])) &+ (UInt16(c[i]) &+ UInt16(d[i]))
    }
  }

  // Four sums are added at a time, as the fields of a 64-bit word. The compiler does not vectorise
  // loads that are several samples apart, but it vectorises shifts and adds of whole words. Fields
  // never overflow: the maximum is 16 * 16 * 255 plus 128, which fits in 16 bits.

  package static func averageColumns(
    _ sums: Words, _ columns: Int, _ shift: Int, _ out: MutableBytes
  ) {
    let whole = columns &>> shift
    switch shift {
    case 1:
      let words = unsafe UnsafeRawPointer(sums)
      for i in 0..<whole {
        let pair = unsafe words.loadUnaligned(fromByteOffset: i &* 4, as: UInt32.self)
        unsafe out[i] = UInt8(truncatingIfNeeded: (pair &+ (pair &>> 16) &+ 2) &>> 2)
      }
    case 2: unsafe averageWholeBlocks(sums, 1, 4, whole, out)
    case 3: unsafe averageWholeBlocks(sums, 2, 6, whole, out)
    default: unsafe averageWholeBlocks(sums, 4, 8, whole, out)
    }
    if (whole &<< shift) < columns {
      unsafe out[whole] = averageLastBlock(sums, 1, columns, shift)
    }
  }

  package static func averageColumnPairs(
    _ sums: Words, _ columns: Int, _ shift: Int, _ out: MutableBytes
  ) {
    let whole = columns &>> shift
    switch shift {
    case 1: unsafe averageWholePairBlocks(sums, 1, 2, whole, out)
    case 2: unsafe averageWholePairBlocks(sums, 2, 4, whole, out)
    case 3: unsafe averageWholePairBlocks(sums, 4, 6, whole, out)
    default: unsafe averageWholePairBlocks(sums, 8, 8, whole, out)
    }
    if (whole &<< shift) < columns {
      unsafe out[2 &* whole] = averageLastBlock(sums, 2, columns, shift)
      unsafe out[2 &* whole &+ 1] = averageLastBlock(sums + 1, 2, columns, shift)
    }
  }

  /// Sets `out[i]` to the sum of the `4 * words` sums of block `i` divided by `1 << divisor`,
  /// rounded.
  @inline(__always) private static func averageWholeBlocks(
    _ sums: Words, _ words: Int, _ divisor: UInt64, _ blocks: Int, _ out: MutableBytes
  ) {
    let memory = unsafe UnsafeRawPointer(sums)
    let half: UInt64 = 1 &<< (divisor &- 1)
    for i in 0..<blocks {
      let fields = unsafe sumOfWords(memory + i &* words &* 8, words)
      let pairs = fields &+ (fields &>> 32)
      let sum = pairs &+ (pairs &>> 16)
      unsafe out[i] = UInt8(truncatingIfNeeded: (sum &+ half) &>> divisor)
    }
  }

  /// `averageWholeBlocks` for pairs: block `i` is `words` words of two pairs each.
  @inline(__always) private static func averageWholePairBlocks(
    _ sums: Words, _ words: Int, _ divisor: UInt64, _ blocks: Int, _ out: MutableBytes
  ) {
    let memory = unsafe UnsafeRawPointer(sums)
    let target = UnsafeMutableRawPointer(out)
    let half: UInt64 = 0x0001_0001 &<< (divisor &- 1)
    for i in 0..<blocks {
      let fields = unsafe sumOfWords(memory + i &* words &* 8, words)
      let means = (fields &+ (fields &>> 32) &+ half) &>> divisor
      let pair = UInt16(truncatingIfNeeded: (means & 0xff) | ((means &>> 8) & 0xff00))
      unsafe target.storeBytes(of: pair.littleEndian, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  /// Returns the sum of `count` words, field by field.
  @inline(__always) private static func sumOfWords(
    _ words: UnsafeRawPointer, _ count: Int
  ) -> UInt64 {
    var sum: UInt64 = 0
    for j in 0..<count {
      unsafe sum &+= words.loadUnaligned(fromByteOffset: j &* 8, as: UInt64.self)
    }
    return sum
  }

  /// Returns the mean of the block that the width cuts off, with its last column repeated.
  private static func averageLastBlock(
    _ sums: Words, _ step: Int, _ columns: Int, _ shift: Int
  ) -> UInt8 {
    let size = 1 &<< shift
    let first = (columns &>> shift) &<< shift
    var sum = UInt32(truncatingIfNeeded: (size &* size) &>> 1)
    for j in 0..<size {
      let column = first &+ j < columns ? first &+ j : columns &- 1
      unsafe sum &+= UInt32(sums[column &* step])
    }
    return UInt8(truncatingIfNeeded: sum &>> UInt32(truncatingIfNeeded: 2 &* shift))
  }
}
