extension UnsafePointer<UInt8> {
  /// Returns the range from the first to the last sample of a row in which a bit of `bits` is set.
  ///
  /// The row has `count` samples. The range is `0..<0` without such a sample. Tests eight
  /// samples at a time, because most samples of a matte belong to the room.
  public func samples(withAnyOf bits: UInt8, count: Int) -> Range<Int> {
    let mask = UInt64(bits) &* 0x0101_0101_0101_0101
    func isEmpty(_ x: Int) -> Bool {
      unsafe UnsafeRawPointer(self).loadUnaligned(fromByteOffset: x, as: UInt64.self) & mask == 0
    }
    var (first, end) = (0, count)
    while first + 8 <= count, isEmpty(first) { first += 8 }
    while first < count, unsafe self[first] & bits == 0 { first += 1 }
    if first >= count { return 0..<0 }
    while end >= 8, isEmpty(end - 8) { end -= 8 }
    while unsafe self[end - 1] & bits == 0 { end -= 1 }
    return first..<end
  }
}
