import PixelTypes

// Samples are gathered first, four neighbours for each of a chunk of outputs, so that the
// arithmetic is vectorised. A plain loop over the taps would be vectorised along the taps instead,
// with gathers that cost more than they save.

extension CompiledKernels {
  /// Weighted sums of neighbouring columns, for resampling a row.
  public static func filterColumns(
    _ row: UnsafePointer<Float>, _ step: Int, _ starts: UnsafePointer<Int32>,
    _ weights: UnsafePointer<Float>, _ taps: Int, _ out: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    // Up to 1024 bytes never come from the heap.
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { memory in
      guard let gathered = memory.baseAddress else { return }
      var first = 0
      while first < count {
        let length = count &- first < 64 ? count &- first : 64
        let chunkStarts = unsafe starts + first
        let sums = unsafe out + first
        for i in 0..<length { unsafe sums[i] = 0 }
        var t = 0
        while t &+ 4 <= taps {
          if step == 1 {
            unsafe gatherNeighbours(row + t, chunkStarts, gathered, length)
          } else {
            unsafe gatherFour(row + t &* step, step, chunkStarts, gathered, length)
          }
          unsafe addFourTaps(sums, weights + (t &* count &+ first), count, gathered, length)
          t &+= 4
        }
        while t < taps {
          unsafe addTap(
            sums, row + t &* step, step, chunkStarts, weights + (t &* count &+ first), length)
          t &+= 1
        }
        first &+= 64
      }
    }
  }

  /// Copies the four samples from each start on.
  @inline(__always) private static func gatherNeighbours(
    _ row: UnsafePointer<Float>, _ starts: UnsafePointer<Int32>,
    _ gathered: UnsafeMutablePointer<Float>, _ length: Int
  ) {
    let target = UnsafeMutableRawPointer(gathered)
    for i in 0..<length {
      let source = unsafe UnsafeRawPointer(row + Int(starts[i]))
      let low = unsafe source.loadUnaligned(as: UInt64.self)
      let high = unsafe source.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      unsafe target.storeBytes(of: low, toByteOffset: 16 &* i, as: UInt64.self)
      unsafe target.storeBytes(of: high, toByteOffset: 16 &* i &+ 8, as: UInt64.self)
    }
  }

  /// The same for samples that lie `step` apart.
  @inline(__always) private static func gatherFour(
    _ row: UnsafePointer<Float>, _ step: Int, _ starts: UnsafePointer<Int32>,
    _ gathered: UnsafeMutablePointer<Float>, _ length: Int
  ) {
    for i in 0..<length {
      let source = unsafe row + Int(starts[i]) &* step
      unsafe gathered[4 &* i] = source[0]
      unsafe gathered[4 &* i &+ 1] = source[step]
      unsafe gathered[4 &* i &+ 2] = source[2 &* step]
      unsafe gathered[4 &* i &+ 3] = source[3 &* step]
    }
  }

  /// Adds four taps of gathered samples; the weights of one tap lie `stride` after the last one's.
  @inline(__always) private static func addFourTaps(
    _ sums: UnsafeMutablePointer<Float>, _ weights: UnsafePointer<Float>, _ stride: Int,
    _ gathered: UnsafePointer<Float>, _ length: Int
  ) {
    let weights1 = unsafe weights + stride
    let weights2 = unsafe weights1 + stride
    let weights3 = unsafe weights2 + stride
    for i in 0..<length {
      var sum = unsafe sums[i]
      unsafe sum += weights[i] * gathered[4 &* i]
      unsafe sum += weights1[i] * gathered[4 &* i &+ 1]
      unsafe sum += weights2[i] * gathered[4 &* i &+ 2]
      unsafe sum += weights3[i] * gathered[4 &* i &+ 3]
      unsafe sums[i] = sum
    }
  }

  /// Adds one tap.
  @inline(__always) private static func addTap(
    _ sums: UnsafeMutablePointer<Float>, _ row: UnsafePointer<Float>, _ step: Int,
    _ starts: UnsafePointer<Int32>, _ weights: UnsafePointer<Float>, _ length: Int
  ) {
    for i in 0..<length { unsafe sums[i] += weights[i] * row[Int(starts[i]) &* step] }
  }
}
