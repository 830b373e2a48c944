/// Bytes that stay where they are.
///
/// Safety: owns the memory, which is written before the object is shared and only read afterwards.
@safe final class MemoryBlock: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  /// How many of the bytes count.
  let count: Int

  /// Takes over what `fill` puts into memory of `capacity` bytes; nil when that gives nil, else the
  /// number of bytes that count.
  init?(capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int?) {
    // As a processor's vectors like it.
    unsafe memory = .allocate(byteCount: max(capacity, 1), alignment: 64)
    count = unsafe fill(UnsafeMutableRawBufferPointer(rebasing: memory[..<capacity])) ?? -1
    if !(0...capacity ~= count) { return nil }
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The bytes; valid as long as this object.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// A copy of the bytes.
  var array: [UInt8] { unsafe Array(bytes) }
}
