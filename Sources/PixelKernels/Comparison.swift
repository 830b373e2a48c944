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
}
