import PixelTypes

extension CompiledKernels {
  // A pair is one 16-bit word.
  package static func interleaveRows(
    _ first: Bytes, _ second: Bytes, _ out: MutableBytes, _ count: Int
  ) {
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe UInt16(first[i]) | (UInt16(second[i]) &<< 8)
      unsafe target.storeBytes(of: pair.littleEndian, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  package static func deinterleaveRow(
    _ row: Bytes, _ first: MutableBytes, _ second: MutableBytes, _ count: Int
  ) {
    let source = unsafe UnsafeRawPointer(row)
    for i in 0..<count {
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      unsafe first[i] = UInt8(truncatingIfNeeded: pair)
      unsafe second[i] = UInt8(truncatingIfNeeded: pair &>> 8)
    }
  }

  package static func swapPairs(_ row: Bytes, _ out: MutableBytes, _ count: Int) {
    let source = unsafe UnsafeRawPointer(row)
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      unsafe target.storeBytes(
        of: (pair &>> 8) | (pair &<< 8), toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  // A pair is one 16-bit word. The average of its bytes is written to both.
  package static func averagePairs(_ row: Bytes, _ out: MutableBytes, _ count: Int) {
    let source = unsafe UnsafeRawPointer(row)
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let pair = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
      let mean = ((pair & 255) &+ (pair &>> 8) &+ 1) &>> 1
      unsafe target.storeBytes(of: mean | (mean &<< 8), toByteOffset: 2 &* i, as: UInt16.self)
    }
  }

  package static func narrowRow(_ row: Bytes, _ out: MutableBytes, _ count: Int) {
    let source = unsafe UnsafeRawPointer(row)
    for i in 0..<count {
      let word = unsafe source.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self).littleEndian
      unsafe out[i] = UInt8(truncatingIfNeeded: (min(word, 0xFF7F) &+ 128) &>> 8)
    }
  }

  package static func widenRow(_ row: Bytes, _ out: MutableBytes, _ count: Int) {
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      let word = unsafe (UInt16(row[i]) &<< 8).littleEndian
      unsafe target.storeBytes(of: word, toByteOffset: 2 &* i, as: UInt16.self)
    }
  }
}
