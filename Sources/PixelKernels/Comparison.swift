import PixelTypes

extension CompiledKernels {
  package static func differRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    for i in 0..<count {
      let (first, second) = unsafe (a[i], b[i])
      unsafe out[i] = first > second ? first &- second : second &- first
    }
  }

  // Each in-place case has its own loop. Otherwise the overlap check before the vectorised loop
  // would select the scalar loop for a row that is written in place.

  package static func maximumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    if unsafe out == UnsafeMutablePointer(mutating: a) {
      for i in 0..<count { unsafe out[i] = greater(out[i], b[i]) }
    } else if unsafe out == UnsafeMutablePointer(mutating: b) {
      for i in 0..<count { unsafe out[i] = greater(out[i], a[i]) }
    } else {
      for i in 0..<count { unsafe out[i] = greater(a[i], b[i]) }
    }
  }

  package static func minimumRow(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    if unsafe out == UnsafeMutablePointer(mutating: a) {
      for i in 0..<count { unsafe out[i] = lesser(out[i], b[i]) }
    } else if unsafe out == UnsafeMutablePointer(mutating: b) {
      for i in 0..<count { unsafe out[i] = lesser(out[i], a[i]) }
    } else {
      for i in 0..<count { unsafe out[i] = lesser(a[i], b[i]) }
    }
  }

  @inline(__always) private static func greater(_ x: UInt8, _ y: UInt8) -> UInt8 { x > y ? x : y }

  @inline(__always) private static func lesser(_ x: UInt8, _ y: UInt8) -> UInt8 { x < y ? x : y }

  package static func blockDistance(
    _ a: UnsafePointer<UInt8>, _ aStride: Int, _ b: UnsafePointer<UInt8>, _ bStride: Int
  ) -> Int {
    var sum: UInt32 = 0
    for y in 0..<8 {
      let (first, second) = unsafe (a + y &* aStride, b + y &* bStride)
      for x in 0..<8 {
        let difference = unsafe Int32(first[x]) &- Int32(second[x])
        sum &+= difference.magnitude
      }
    }
    return Int(sum)
  }

  // A row of a block is one vector of eight, because compilers do not vectorise a loop over eight
  // samples that ends in three sums.

  package static func blockSlopes(
    _ block: UnsafePointer<UInt8>, _ stride: Int, _ across: UnsafeMutablePointer<Int16>,
    _ down: UnsafeMutablePointer<Int16>, _ products: UnsafeMutablePointer<Int32>
  ) {
    var squaresAcross = SIMD8<Int32>(), mixed = SIMD8<Int32>(), squaresDown = SIMD8<Int32>()
    for y in 0..<8 {
      let row = unsafe block + y &* stride
      let slopesAcross = unsafe eight(row + 1) &- eight(row - 1)
      let slopesDown = unsafe eight(row + stride) &- eight(row - stride)
      unsafe UnsafeMutableRawPointer(across + 8 &* y).storeBytes(
        of: SIMD8(truncatingIfNeeded: slopesAcross), as: SIMD8<Int16>.self)
      unsafe UnsafeMutableRawPointer(down + 8 &* y).storeBytes(
        of: SIMD8(truncatingIfNeeded: slopesDown), as: SIMD8<Int16>.self)
      squaresAcross &+= slopesAcross &* slopesAcross
      mixed &+= slopesAcross &* slopesDown
      squaresDown &+= slopesDown &* slopesDown
    }
    unsafe products[0] = squaresAcross.wrappedSum()
    unsafe products[1] = mixed.wrappedSum()
    unsafe products[2] = squaresDown.wrappedSum()
  }

  package static func blockOffset(
    _ block: UnsafePointer<UInt8>, _ stride: Int, _ other: UnsafePointer<UInt8>, _ otherStride: Int,
    _ shareAcross: Int, _ shareDown: Int, _ across: UnsafePointer<Int16>,
    _ down: UnsafePointer<Int16>, _ sums: UnsafeMutablePointer<Int32>
  ) {
    let (right, below) = (Int32(shareAcross), Int32(shareDown))
    let (left, above) = (16 &- right, 16 &- below)
    var sumsAcross = SIMD8<Int32>(), sumsDown = SIMD8<Int32>()
    for y in 0..<8 {
      let upper = unsafe other + y &* otherStride
      let lower = unsafe upper + otherStride
      let top = unsafe eight(upper) &* left &+ eight(upper + 1) &* right
      let bottom = unsafe eight(lower) &* left &+ eight(lower + 1) &* right
      let samples = (top &* above &+ bottom &* below &+ 8) &>> 4
      let differences = unsafe samples &- eight(block + y &* stride) &* 16
      unsafe sumsAcross &+= eight(across + 8 &* y) &* differences
      unsafe sumsDown &+= eight(down + 8 &* y) &* differences
    }
    unsafe sums[0] = sumsAcross.wrappedSum()
    unsafe sums[1] = sumsDown.wrappedSum()
  }

  /// Loads eight neighbours.
  @inline(__always) private static func eight(_ samples: UnsafePointer<UInt8>) -> SIMD8<Int32> {
    unsafe SIMD8(
      truncatingIfNeeded: UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<UInt8>.self))
  }

  @inline(__always) private static func eight(_ slopes: UnsafePointer<Int16>) -> SIMD8<Int32> {
    unsafe SIMD8(
      truncatingIfNeeded: UnsafeRawPointer(slopes).loadUnaligned(as: SIMD8<Int16>.self))
  }
}
