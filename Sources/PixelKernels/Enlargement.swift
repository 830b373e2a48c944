import PixelTypes

extension CompiledKernels {
  // The factor is a power of two, so no position table is needed. Each sample is repeated for the
  // outputs between its middle and the next one's, up to 512 lanes at a time. The arithmetic runs
  // over two such rows, a sample apart. A 16-bit lane stands for two neighbouring bytes of the
  // output, in its low and its high half.

  package static func enlargeRow(_ row: Bytes, _ shift: Int, _ out: MutableBytes, _ count: Int) {
    unsafe enlarge(row, shift, out, count, bytes: 1)
  }

  package static func enlargePairs(_ row: Bytes, _ shift: Int, _ out: MutableBytes, _ count: Int) {
    unsafe enlarge(row, shift, out, count, bytes: 2)
  }

  /// Enlarges a row of samples of one byte or two.
  @inline(__always) private static func enlarge(
    _ row: Bytes, _ shift: Int, _ out: MutableBytes, _ count: Int, bytes: Int
  ) {
    guard count > 0 else { return }
    let half = 1 &<< (shift &- 1)
    let head = half < count ? half : count
    let last = (count &- 1) &>> shift
    for i in 0..<head {
      for part in 0..<bytes { unsafe out[bytes &* i &+ part] = row[part] }
    }
    let whole = (count &- head) &>> shift < last ? (count &- head) &>> shift : last
    // A temporary allocation of up to 1024 bytes is on the stack.
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 512) { memory in
      guard let lanes = memory.baseAddress else { return }
      let times = half &* bytes
      let most = 512 / times &- 1
      var first = 0
      while first < whole {
        let samples = whole &- first < most ? whole &- first : most
        let source = unsafe row + bytes &* first
        let target = unsafe out + bytes &* (half &+ first &<< shift)
        if bytes == 1 {
          unsafe repeatSamples({ unsafe UInt16(source[$0]) }, samples &+ 1, times, lanes)
          unsafe enlargeSamples(lanes, samples, shift, target)
        } else {
          unsafe repeatSamples({ unsafe pair(source, 2 &* $0) }, samples &+ 1, times, lanes)
          unsafe enlargeSamplePairs(lanes, samples, shift, target)
        }
        first &+= samples
      }
    }
    // The interval that the count cuts off, and the outputs after the middle of the last sample.
    let next = whole < last ? whole &+ 1 : last
    let start = half &+ whole &<< shift
    for i in start..<(start < count ? count : start) {
      for part in 0..<bytes {
        let s = unsafe UInt16(row[bytes &* whole &+ part])
        let t = unsafe UInt16(row[bytes &* next &+ part])
        unsafe out[bytes &* i &+ part] = UInt8(
          truncatingIfNeeded: between(s, t, i &- start, shift) &>> 8)
      }
    }
  }

  /// Returns 256 times the value at output `position` between the middles of two samples, plus 128.
  @inline(__always) private static func between(
    _ s: UInt16, _ t: UInt16, _ position: Int, _ shift: Int
  ) -> UInt16 {
    let weight = UInt16(truncatingIfNeeded: ((2 &* position &+ 1) &* 128) &>> shift)
    return s &* (256 &- weight) &+ t &* weight &+ 128
  }

  /// Writes each sample to `times` lanes, a power of two.
  @inline(__always) private static func repeatSamples(
    _ sample: (Int) -> UInt16, _ count: Int, _ times: Int, _ lanes: MutableWords
  ) {
    let target = UnsafeMutableRawPointer(lanes)
    switch times {
    case 1:
      for i in 0..<count { unsafe lanes[i] = sample(i) }
    case 2:
      for i in 0..<count {
        let two = UInt32(sample(i)) &* 0x0001_0001
        unsafe target.storeBytes(of: two, toByteOffset: 4 &* i, as: UInt32.self)
      }
    case 4:
      for i in 0..<count {
        let four = UInt64(sample(i)) &* 0x0001_0001_0001_0001
        unsafe target.storeBytes(of: four, toByteOffset: 8 &* i, as: UInt64.self)
      }
    case 8:
      for i in 0..<count {
        let four = UInt64(sample(i)) &* 0x0001_0001_0001_0001
        unsafe target.storeBytes(of: four, toByteOffset: 16 &* i, as: UInt64.self)
        unsafe target.storeBytes(of: four, toByteOffset: 16 &* i &+ 8, as: UInt64.self)
      }
    default:
      var end = unsafe target
      for i in 0..<count {
        let four = UInt64(sample(i)) &* 0x0001_0001_0001_0001
        for word in 0..<times &>> 2 {
          unsafe end.storeBytes(of: four, toByteOffset: 8 &* word, as: UInt64.self)
        }
        unsafe end += 2 &* times
      }
    }
  }

  /// Computes the outputs between the middles of `samples + 1` samples, each repeated for half of
  /// them.
  @inline(__always) private static func enlargeSamples(
    _ lanes: Words, _ samples: Int, _ shift: Int, _ out: MutableBytes
  ) {
    let half = 1 &<< (shift &- 1)
    let next = unsafe lanes + half
    let target = UnsafeMutableRawPointer(out)
    let positions = UInt16(truncatingIfNeeded: half &- 1)
    // The first weight of the even outputs, and the distance to the next weight as a shift.
    let begin = UInt16(128) &>> UInt16(truncatingIfNeeded: shift)
    let spread = UInt16(truncatingIfNeeded: 9 &- shift)
    for j in 0..<samples &<< (shift &- 1) {
      let (s, t) = unsafe (lanes[j], next[j])
      let difference = t &- s
      let weight = ((UInt16(truncatingIfNeeded: j) & positions) &<< spread) &+ begin
      let even = (s &<< 8) &+ difference &* weight &+ 128
      let odd = even &+ (difference &<< (spread &- 1))
      let both = (even &>> 8) | (odd & 0xff00)
      unsafe target.storeBytes(of: both.littleEndian, toByteOffset: 2 &* j, as: UInt16.self)
    }
  }

  /// `enlargeSamples` for pairs, each repeated for all of the outputs.
  @inline(__always) private static func enlargeSamplePairs(
    _ lanes: Words, _ samples: Int, _ shift: Int, _ out: MutableBytes
  ) {
    let next = unsafe lanes + 1 &<< shift
    let target = UnsafeMutableRawPointer(out)
    let positions = UInt16(truncatingIfNeeded: 1 &<< shift &- 1)
    let begin = UInt16(128) &>> UInt16(truncatingIfNeeded: shift)
    let spread = UInt16(truncatingIfNeeded: 8 &- shift)
    for j in 0..<samples &<< shift {
      let (s, t) = unsafe (lanes[j], next[j])
      let weight = ((UInt16(truncatingIfNeeded: j) & positions) &<< spread) &+ begin
      let cb = (s &<< 8) &+ ((t & 255) &- (s & 255)) &* weight &+ 128
      let cr = (s & 0xff00) &+ ((t &>> 8) &- (s &>> 8)) &* weight &+ 128
      let both = (cb &>> 8) | (cr & 0xff00)
      unsafe target.storeBytes(of: both.littleEndian, toByteOffset: 2 &* j, as: UInt16.self)
    }
  }

  // The pairs of samples are gathered first, 512 at a time, so that the arithmetic is vectorised:
  // twice as fast as both in one loop. Four pairs are stored at once, which shortens the wait of
  // the wide loads that follow.
  package static func expandRow(
    _ row: Bytes, _ positions: Words, _ weights: Bytes, _ out: MutableBytes, _ count: Int
  ) {
    // A temporary allocation of up to 1024 bytes is on the stack.
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 512) { gathered in
      guard let pairs = gathered.baseAddress else { return }
      var first = 0
      while first < count {
        let length = count &- first < 512 ? count &- first : 512
        let chunkWeights = unsafe weights + first
        let chunkOut = unsafe out + first
        unsafe gatherPairs(row, positions + first, pairs, length)
        for i in 0..<length {
          // At most 255 * 256 + 128, which fits in 16 bits.
          let weight = unsafe UInt16(chunkWeights[i])
          let (s, t) = unsafe (pairs[i] & 255, pairs[i] &>> 8)
          let sum = s &* (256 &- weight) &+ t &* weight
          unsafe chunkOut[i] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
        }
        first &+= 512
      }
    }
  }

  /// Copies the two samples at each position, the first in the low byte.
  @inline(__always) private static func gatherPairs(
    _ row: Bytes, _ positions: Words, _ pairs: MutableWords, _ length: Int
  ) {
    let target = UnsafeMutableRawPointer(pairs)
    func word(_ i: Int) -> UInt64 { unsafe UInt64(pair(row, Int(positions[i]))) }
    var i = 0
    while i &+ 4 <= length {
      let four = (word(i) | word(i &+ 1) &<< 16) | (word(i &+ 2) &<< 32 | word(i &+ 3) &<< 48)
      unsafe target.storeBytes(of: four.littleEndian, toByteOffset: 2 &* i, as: UInt64.self)
      i &+= 4
    }
    while i < length {
      unsafe pairs[i] = pair(row, Int(positions[i]))
      i &+= 1
    }
  }

  /// Loads two samples, the first in the low byte.
  @inline(__always) private static func pair(_ row: Bytes, _ offset: Int) -> UInt16 {
    unsafe UnsafeRawPointer(row).loadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian
  }

  package static func expandPairs(
    _ row: Bytes, _ positions: Words, _ weights: Bytes, _ out: MutableBytes, _ count: Int
  ) {
    let samples = unsafe UnsafeRawPointer(row)
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 512) { gathered in
      guard let before = gathered.baseAddress else { return }
      let after = unsafe before + 256
      var first = 0
      while first < count {
        let length = count &- first < 256 ? count &- first : 256
        let chunkPositions = unsafe positions + first
        let chunkWeights = unsafe weights + first
        let chunkOut = unsafe UnsafeMutableRawPointer(out + 2 &* first)
        for i in 0..<length {
          let both = unsafe samples.loadUnaligned(
            fromByteOffset: 2 &* Int(chunkPositions[i]), as: UInt32.self
          ).littleEndian
          unsafe before[i] = UInt16(truncatingIfNeeded: both)
          unsafe after[i] = UInt16(truncatingIfNeeded: both &>> 16)
        }
        for i in 0..<length {
          let weight = unsafe UInt16(chunkWeights[i])
          let (s, t) = unsafe (before[i], after[i])
          let cb = (s & 255) &* (256 &- weight) &+ (t & 255) &* weight &+ 128
          let cr = (s &>> 8) &* (256 &- weight) &+ (t &>> 8) &* weight &+ 128
          let pair = (cb &>> 8) | (cr & 0xff00)
          unsafe chunkOut.storeBytes(
            of: pair.littleEndian, toByteOffset: 2 &* i, as: UInt16.self)
        }
        first &+= 256
      }
    }
  }
}
