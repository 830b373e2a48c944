/// Yann Collet's XXH64: a fast fingerprint of bytes, no protection against forgery.
///
/// After the specification in xxHash's doc/xxhash_spec.md.
enum XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The hash of bytes; that of one part serves as the seed of the next.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var at = 0
    var hash = seed &+ prime5
    if bytes.count >= 32 {
      var a = seed &+ prime1 &+ prime2
      var b = seed &+ prime2
      var c = seed
      var d = seed &- prime1
      while at + 32 <= bytes.count {
        a = unsafe round(a, word(bytes, at))
        b = unsafe round(b, word(bytes, at + 8))
        c = unsafe round(c, word(bytes, at + 16))
        d = unsafe round(d, word(bytes, at + 24))
        at += 32
      }
      hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
      for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
    }
    hash = hash &+ UInt64(bytes.count)
    while at + 8 <= bytes.count {
      hash = unsafe rotated(hash ^ round(0, word(bytes, at)), 27) &* prime1 &+ prime4
      at += 8
    }
    if at + 4 <= bytes.count {
      let half = unsafe UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      hash = rotated(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      at += 4
    }
    while at < bytes.count {
      hash = unsafe rotated(hash ^ UInt64(bytes[at]) &* prime5, 11) &* prime1
      at += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  /// The hash of a text's UTF-8.
  static func hash(_ text: String) -> UInt64 {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe hash($0) }
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotated(lane &+ input &* prime2, 31) &* prime1
  }

  private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }
}
