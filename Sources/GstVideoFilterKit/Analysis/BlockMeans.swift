/// Computes the means of the blocks of a plane, one row of blocks at a time.
struct BlockMeans {
  /// The sum over the sampled rows of a block, per byte of a row.
  private var sums: [UInt16] = []

  /// The maximum number of sampled rows per block: enough for a mean of any block.
  private static let maxRows = 4
  /// The maximum number of columns for which the sum of all samples fits in 16 bits.
  private static let maxColumns = Int(UInt16.max) / (maxRows * 255)

  /// Writes the means of a row of blocks, rounded to the nearest integer, and halves upwards.
  ///
  /// Does nothing for an empty plane. Blocks at the right and lower edge may be smaller.
  ///
  /// - Parameters:
  ///   - plane: the plane that is divided into blocks.
  ///   - row: the index of the row of blocks. The last row of the plane is used for all rows below
  ///     the plane.
  ///   - block: the width and height of a block, at least 1.
  ///   - channels: the number of bytes per column: 1, 2 or 4. The last one of 4 is not written.
  ///   - output: receives the means. The means of the channels of a block are adjacent.
  ///   - start: the index of the first mean in `output`.
  ///   - step: the number of bytes from the means of one block to the means of the next.
  mutating func write(
    _ plane: borrowing FramePlane, row: Int, block: Int, channels: Int,
    into output: inout MutableSpan<UInt8>, from start: Int, step: Int
  ) {
    guard plane.height > 0 else { return }
    let top = min(row * block, plane.height - 1)
    let available = min(block, plane.height - top)
    let rows = min(available, Self.maxRows)
    if sums.count < plane.width { sums = Array(repeating: 0, count: plane.width) }
    Self.add(plane, rows, from: top, among: available, into: &sums)
    let columns = plane.width / channels
    let sums = sums.span
    // Pass constants in the usual cases, so that the compiler unrolls the loops over a block.
    switch (block, channels) {
    case (1, 1): Self.divide(sums, 1, 1, rows, columns, into: &output, start, step)
    case (2, 1): Self.divide(sums, 2, 1, rows, columns, into: &output, start, step)
    case (4, 1): Self.divide(sums, 4, 1, rows, columns, into: &output, start, step)
    case (8, 1): Self.divide(sums, 8, 1, rows, columns, into: &output, start, step)
    case (1, 2): Self.divide(sums, 1, 2, rows, columns, into: &output, start, step)
    case (2, 2): Self.divide(sums, 2, 2, rows, columns, into: &output, start, step)
    case (4, 2): Self.divide(sums, 4, 2, rows, columns, into: &output, start, step)
    case (_, 4): Self.divide(sums, block, 4, rows, columns, into: &output, start, step)
    default: Self.divide(sums, block, channels, rows, columns, into: &output, start, step)
    }
  }

  /// Computes the sum of `rows` rows of a plane, which are evenly spread over the rows of a block.
  private static func add(
    _ plane: borrowing FramePlane, _ rows: Int, from top: Int, among available: Int,
    into sums: inout [UInt16]
  ) {
    var sums = sums.mutableSpan
    func samples(_ index: Int) -> Int { top + index * available / rows }
    let first = plane.samples(ofRow: samples(0))
    // All indices below are inside the rows, which have the same length, and inside the sums.
    precondition(sums.count >= first.count)
    if rows == maxRows {
      let second = plane.samples(ofRow: samples(1))
      let third = plane.samples(ofRow: samples(2))
      let fourth = plane.samples(ofRow: samples(3))
      for x in first.indices {
        unsafe sums[unchecked: x] =
          UInt16(first[unchecked: x]) &+ UInt16(second[unchecked: x])
          &+ UInt16(third[unchecked: x]) &+ UInt16(fourth[unchecked: x])
      }
      return
    }
    for x in first.indices { unsafe sums[unchecked: x] = UInt16(first[unchecked: x]) }
    for index in 1..<max(rows, 1) {
      let next = plane.samples(ofRow: samples(index))
      for x in next.indices { unsafe sums[unchecked: x] &+= UInt16(next[unchecked: x]) }
    }
  }

  /// Writes the mean of each block: the sum of its columns, divided by the number of its samples.
  @inline(__always)
  @_lifetime(output: copy output)
  private static func divide(
    _ sums: Span<UInt16>, _ block: Int, _ channels: Int, _ rows: Int, _ columns: Int,
    into output: inout MutableSpan<UInt8>, _ start: Int, _ step: Int
  ) {
    let kept = min(channels, 3)
    let (blocks, rest) = (columns / block, columns % block)
    // All indices below are within `sums` and `output`, so they are not checked again.
    precondition(columns * channels <= sums.count)
    precondition(start + ((columns + block - 1) / block - 1) * step + kept <= output.count)
    // `share` is about 2^40 / count. A sum of `count` bytes plus `half` is below 256 * count, so
    // the product fits in 64 bits. The quotient is exact for fewer than 2^16 samples per block.
    let count = UInt64(block * rows)
    let (half, share) = (count / 2, (1 << 40) / count + 1)
    let samples = block * channels
    if samples % 4 == 0, block <= Self.maxColumns {
      // Process four sums at a time.
      for x in 0..<blocks {
        var lanes = SIMD4<UInt16>()
        for index in 0..<samples / 4 {
          lanes &+= unsafe sums.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: 2 &* (x &* samples &+ 4 &* index), as: SIMD4<UInt16>.self)
        }
        if channels == 1 {
          lanes[0] = lanes.wrappedSum()
        } else if channels == 2 {
          lanes.lowHalf &+= lanes.highHalf
        }
        for channel in 0..<kept {
          unsafe output[unchecked: start &+ x &* step &+ channel] = UInt8(
            truncatingIfNeeded: ((UInt64(lanes[channel]) &+ half) &* share) &>> 40)
        }
      }
    } else {
      for x in 0..<blocks {
        for channel in 0..<kept {
          var sum = half
          for column in x &* block..<x &* block &+ block {
            sum &+= unsafe UInt64(sums[unchecked: column &* channels &+ channel])
          }
          unsafe output[unchecked: start &+ x &* step &+ channel] = UInt8(
            truncatingIfNeeded: (sum &* share) &>> 40)
        }
      }
    }
    for channel in 0..<(rest > 0 ? kept : 0) {
      let count = UInt64(rest * rows)
      let sum = (blocks * block..<columns).reduce(count / 2) {
        $0 + UInt64(sums[$1 * channels + channel])
      }
      output[start + blocks * step + channel] = UInt8(sum / count)
    }
  }
}
