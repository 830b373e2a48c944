/// Splits a protobuf message into its fields.
///
/// It reads only keys and lengths, so the time does not depend on the size of the contents.
enum ProtobufFields {
  /// Calls `body` with the number, the content and all bytes of each field, in order.
  ///
  /// The content is nil unless the field is length-delimited.
  ///
  /// Returns false if the message is truncated or malformed.
  static func forEach(
    in message: ArraySlice<UInt8>,
    _ body: (_ number: UInt64, _ content: ArraySlice<UInt8>?, _ field: ArraySlice<UInt8>) -> Void
  ) -> Bool {
    var rest = message
    while !rest.isEmpty {
      let field = rest
      // A field number has at most 29 bits.
      guard let key = integer(&rest), key <= UInt64(UInt32.max) else { return false }
      let length: UInt64?
      switch key & 7 {
      case 0: length = integer(&rest).map { _ in 0 }
      case 1: length = 8
      case 2: length = integer(&rest)
      case 5: length = 4
      default: length = nil
      }
      guard let length, length <= rest.count else { return false }
      let content = rest.prefix(Int(length))
      rest = rest.dropFirst(Int(length))
      body(key >> 3, key & 7 == 2 ? content : nil, field.prefix(field.count - rest.count))
    }
    return true
  }

  /// Returns the key and the length that precede the content of a length-delimited field.
  static func head(of number: UInt64, length: Int) -> [UInt8] {
    bytes(number << 3 | 2) + bytes(UInt64(length))
  }

  /// Encodes an integer: seven bits per byte, the lowest first.
  private static func bytes(_ value: UInt64) -> [UInt8] {
    var (value, bytes): (UInt64, [UInt8]) = (value, [])
    while value > 0x7F {
      bytes.append(UInt8(value & 0x7F | 0x80))
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  /// Removes and decodes an integer at the beginning, or returns nil if it is truncated.
  static func integer(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
