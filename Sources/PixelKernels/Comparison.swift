import PixelTypes

extension CompiledKernels {
  package static func differRow(_ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int) {
    unsafe combine(a, b, out, count) { $0 > $1 ? $0 &- $1 : $1 &- $0 }
  }

  package static func maximumRow(_ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int) {
    unsafe combine(a, b, out, count) { $0 > $1 ? $0 : $1 }
  }

  package static func minimumRow(_ a: Bytes, _ b: Bytes, _ out: MutableBytes, _ count: Int) {
    unsafe combine(a, b, out, count) { $0 < $1 ? $0 : $1 }
  }

  package static func blockDistance(_ a: Bytes, _ aStride: Int, _ b: Bytes, _ bStride: Int) -> Int {
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
