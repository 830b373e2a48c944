/// Finds the names of an ONNX model's inputs without reading the network.
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

  private static func fields(_ number: UInt64, of message: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]
  {
    var found: [ArraySlice<UInt8>] = []
    ProtobufFields.forEach(in: message) { if $0 == number { found.append($1) } }
    return found
  }
}
