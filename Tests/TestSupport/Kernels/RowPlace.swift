/// The address of a row, with samples of the type that the kernel expects.
///
/// Safety: the creator owns the memory, and must keep it while this is used.
@safe package struct RowPlace {
  let start: UnsafeMutableRawPointer

  package var bytes: UnsafeMutablePointer<UInt8> {
    unsafe start.assumingMemoryBound(to: UInt8.self)
  }
  var words: UnsafeMutablePointer<UInt16> { unsafe start.assumingMemoryBound(to: UInt16.self) }
  var floats: UnsafeMutablePointer<Float> { unsafe start.assumingMemoryBound(to: Float.self) }
  var integers: UnsafeMutablePointer<Int> { unsafe start.assumingMemoryBound(to: Int.self) }
  var int32s: UnsafeMutablePointer<Int32> { unsafe start.assumingMemoryBound(to: Int32.self) }
}
