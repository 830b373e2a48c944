/// A 64-bit checksum of bytes: detects damage and tells files apart, but not against forgery.
///
/// Each step is reversible, so that a change of a single word always changes the result.
enum Checksum {
  // Odd numbers without a pattern.
  private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  /// Returns the checksum of bytes; that of one part is the `seed` of the next.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    // With the length, zeros at the end count too.
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

  /// Mixes a word in.
  ///
  /// The rotation stands between two multiplications: otherwise the difference that the highest bit of
  /// a word makes could be undone by one bit of the next word.
  @inline(__always)
  private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum &+ word &* first
    return (mixed << 29 | mixed >> 35) &* second
  }
}
