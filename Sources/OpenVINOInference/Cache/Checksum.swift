/// A 64-bit checksum that detects damage and changes, but not forgery.
///
/// Each step is reversible, so a change of a single word always changes the result.
enum Checksum {
  // Odd multipliers with irregular bits.
  private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  /// Returns the checksum of bytes, which can be the `seed` for the next part.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    // Include the length, so that zeros at the end change the result.
    var sum = step(seed &+ second, UInt64(bytes.count))
    var offset = 0
    while offset &+ 8 <= bytes.count {
      sum = unsafe step(sum, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    while offset < bytes.count {
      sum = unsafe step(sum, UInt64(bytes[offset]))
      offset &+= 1
    }
    sum = (sum ^ sum >> 32) &* first
    return sum ^ sum >> 32
  }

  /// Returns the checksum of the UTF-8 bytes of a text.
  static func of(_ text: String) -> UInt64 {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe of($0) }
  }

  /// Mixes a word into the sum.
  ///
  /// The rotation is between two multiplications. Otherwise one bit of the next word could cancel a
  /// change in the highest bit of a word.
  @inline(__always)
  private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum &+ word &* first
    return (mixed << 29 | mixed >> 35) &* second
  }
}
