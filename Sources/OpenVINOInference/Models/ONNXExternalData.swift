/// Finds the external data of an ONNX model (weights in other files) and embeds it in the model.
struct ONNXExternalData {
  /// The messages of an ONNX model that contain tensors, also inside nested messages.
  private enum Message {
    case model, training, function, graph, node, attribute, sparseTensor, tensor, entry

    /// Returns the kind of message in the field with this number.
    ///
    /// Returns nil if the field contains no tensor.
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

  /// Protobuf's own limit for nested messages.
  private static let deepest = 100

  private var found: Set<String> = []
  private var isWhole = true

  /// Returns the paths of the external files as written in the model, or nil if it is not ONNX.
  ///
  /// The paths are usually relative to the model's folder.
  static func locations(in model: [UInt8]) -> Set<String>? {
    var data = ONNXExternalData()
    data.search(.model, model[...], depth: 0)
    return data.isWhole ? data.found : nil
  }

  private mutating func search(_ message: Message, _ bytes: ArraySlice<UInt8>, depth: Int) {
    guard depth < Self.deepest else { return isWhole = false }
    if message == .entry { return record(bytes) }
    let fits = ProtobufFields.forEach(in: bytes) { field, content in
      if let kind = message.content(of: field) { search(kind, content, depth: depth + 1) }
    }
    if !fits { isWhole = false }
  }

  private mutating func record(_ bytes: ArraySlice<UInt8>) {
    guard let entry = Self.entry(bytes) else { return isWhole = false }
    if entry.key == "location" { found.insert(entry.value) }
  }

  /// StringStringEntryProto: key = 1, value = 2.
  private static func entry(_ bytes: ArraySlice<UInt8>) -> (key: String, value: String)? {
    var (key, value): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    let fits = ProtobufFields.forEach(in: bytes) { field, content in
      if field == 1 { key = content }
      if field == 2 { value = content }
    }
    guard fits, let key = String(validating: key, as: UTF8.self),
      let value = String(validating: value, as: UTF8.self)
    else { return nil }
    return (key, value)
  }

  /// Returns the model with embedded tensors, or nil if some of their bytes are missing.
  ///
  /// `files` contains the bytes of each file that `locations(in:)` returns.
  static func embed(_ files: [String: [UInt8]], in model: [UInt8]) -> [UInt8]? {
    var isWhole = true
    var embeddedBytes = 0
    /// Returns the parts of a message, which share their bytes with the model and the files.
    func parts(_ message: Message, _ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
      var result: [ArraySlice<UInt8>] = []
      var entries: [String: String] = [:]
      _ = ProtobufFields.forEachOfAll(in: bytes) { number, content, field in
        guard let content, let kind = message.content(of: number) else {
          // TensorProto: data_location = 14.
          if message != .tensor || number != 14 { result.append(field) }
          return
        }
        if kind == .entry {
          if let entry = entry(content) { entries[entry.key] = entry.value }
          return
        }
        let inner = parts(kind, content)
        let length = inner.reduce(0) { $0 + $1.count }
        result.append(ProtobufFields.head(of: number, length: length)[...])
        result += inner
      }
      guard let location = entries["location"] else { return result }
      guard let file = files[location], let offset = Int(entries["offset"] ?? "0"),
        0...file.count ~= offset,
        let length = Int(entries["length"] ?? "0"), 0...(file.count - offset) ~= length
      else {
        isWhole = false
        return []
      }
      // Without a length, the data continues to the end of the file. OpenVINO treats 0 the same.
      // TensorProto: raw_data = 9.
      let data = length == 0 ? file[offset...] : file[offset..<(offset + length)]
      // Many tensors may refer to the same bytes.
      embeddedBytes += data.count
      guard embeddedBytes <= RegularFile.limit else {
        isWhole = false
        return []
      }
      return result + [ProtobufFields.head(of: 9, length: data.count)[...], data]
    }
    let embedded = parts(.model, model[...])
    return isWhole ? Array(embedded.joined()) : nil
  }
}
