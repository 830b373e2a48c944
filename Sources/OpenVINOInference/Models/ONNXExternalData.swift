/// Finds the files beside an ONNX model in which it keeps weights, its external data.
struct ONNXExternalData {
  /// The messages of an ONNX model that lead to its tensors.
  private enum Message {
    case model, training, function, graph, node, attribute, sparseTensor, tensor, entry

    /// What a field of this message holds, by its number; nil for what leads to no tensor.
    func content(of field: UInt64) -> Message? {
      switch (self, field) {
      case (.model, 7), (.training, 1), (.training, 2), (.attribute, 6), (.attribute, 11): .graph
      case (.model, 20): .training
      case (.model, 25): .function
      case (.function, 7), (.graph, 1): .node
      case (.function, 11), (.node, 5): .attribute
      case (.graph, 5), (.attribute, 5), (.attribute, 10), (.sparseTensor, 1), (.sparseTensor, 2):
        .tensor
      case (.graph, 15), (.attribute, 22), (.attribute, 23): .sparseTensor
      case (.tensor, 13): .entry
      default: nil
      }
    }
  }

  /// Protobuf itself reads no message that is nested deeper.
  private static let deepest = 100

  private var found: Set<String> = []
  private var isWhole = true

  /// The paths of the files as the model has them, most often from the model's folder on; nil for
  /// bytes that are no ONNX model.
  static func locations(in model: [UInt8]) -> Set<String>? {
    var data = ONNXExternalData()
    data.search(.model, model[...], depth: 0)
    return data.isWhole ? data.found : nil
  }

  private mutating func search(_ message: Message, _ bytes: ArraySlice<UInt8>, depth: Int) {
    guard depth < Self.deepest else { return isWhole = false }
    if message == .entry { return note(bytes) }
    let fits = ProtobufFields.forEach(in: bytes) { field, content in
      if let kind = message.content(of: field) { search(kind, content, depth: depth + 1) }
    }
    if !fits { isWhole = false }
  }

  /// StringStringEntryProto: key = 1, value = 2.
  private mutating func note(_ entry: ArraySlice<UInt8>) {
    var (key, value): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    let fits = ProtobufFields.forEach(in: entry) { field, content in
      if field == 1 { key = content }
      if field == 2 { value = content }
    }
    guard fits else { return isWhole = false }
    guard key.elementsEqual("location".utf8) else { return }
    guard let path = String(validating: value, as: UTF8.self) else { return isWhole = false }
    found.insert(path)
  }
}
