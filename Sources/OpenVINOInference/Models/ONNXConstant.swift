/// Turns an input of an ONNX model into a constant without parsing the file.
///
/// An ONNX file is one protobuf message, ModelProto. If a message field occurs twice, protobuf
/// merges both messages. A second `graph` with only an initializer, appended to the file's bytes,
/// therefore adds this initializer to the graph. An input with an initializer is a constant.
///
/// This is necessary for files that the user selects with the property `model`, such as the
/// original files of Robust Video Matting.
enum ONNXConstant {
  /// Returns the bytes to append to make `value` the constant value of the input `name`.
  ///
  /// The input must have the shape [1].
  static func suffix(name: String, value: Float) -> [UInt8] {
    // TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9. FLOAT is 1.
    let tensor: [UInt8] =
      [1 << 3, 1, 2 << 3, 1]
      + field(8, Array(name.utf8))
      + field(9, (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) })
    // GraphProto: initializer = 5. ModelProto: graph = 7.
    return field(7, field(5, tensor))
  }

  private static func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    ProtobufFields.head(of: number, length: content.count) + content
  }
}
