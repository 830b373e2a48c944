/// Finds the names of an ONNX model's inputs without reading the network.
///
/// Only the keys and lengths of its protobuf fields are looked at, so that 15 MB take no time.
enum ONNXInputs {
  /// The names of the inputs, in older models also those of the weights; none for bytes that are no
  /// ONNX model.
  static func names(in model: [UInt8]) -> Set<String> {
    // ModelProto: graph = 7. GraphProto: input = 11. ValueInfoProto: name = 1.
    let names = fields(7, of: model[...]).flatMap { fields(11, of: $0) }.flatMap {
      fields(1, of: $0)
    }
    return Set(names.map { String(decoding: $0, as: UTF8.self) })
  }

  /// The contents of a message's fields of one number that have a length; none where the bytes end
  /// or make no sense.
  private static func fields(_ number: UInt64, of message: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]
  {
    var found: [ArraySlice<UInt8>] = []
    var rest = message
    while let key = integer(&rest) {
      let length: UInt64?
      switch key & 7 {
      case 0: length = integer(&rest).map { _ in 0 }
      case 1: length = 8
      case 2: length = integer(&rest)
      case 5: length = 4
      default: length = nil
      }
      guard let length, length <= rest.count else { return found }
      if key == number << 3 | 2 { found.append(rest.prefix(Int(length))) }
      rest = rest.dropFirst(Int(length))
    }
    return found
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
