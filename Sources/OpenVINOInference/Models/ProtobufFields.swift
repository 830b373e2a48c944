/// Takes a protobuf message apart: only keys and lengths are looked at, so that large contents take no
/// time.
enum ProtobufFields {
  /// Hands over the number and the content of each field that has a length, in their order; false
  /// where the bytes end too early or make no sense.
  @discardableResult
  static func forEach(
    in message: ArraySlice<UInt8>, _ body: (UInt64, ArraySlice<UInt8>) -> Void
  ) -> Bool {
    var rest = message
    while !rest.isEmpty {
      guard let key = integer(&rest) else { return false }
      let length: UInt64?
      switch key & 7 {
      case 0: length = integer(&rest).map { _ in 0 }
      case 1: length = 8
      case 2: length = integer(&rest)
      case 5: length = 4
      default: length = nil
      }
      guard let length, length <= rest.count else { return false }
      if key & 7 == 2 { body(key >> 3, rest.prefix(Int(length))) }
      rest = rest.dropFirst(Int(length))
    }
    return true
  }

  /// Takes an integer off the beginning: seven bits a byte, the lowest first.
  private static func integer(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
