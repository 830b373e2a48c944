import InputFiles

/// Finds the external data of an ONNX model (weights in other files) and embeds it in the model.
enum ONNXExternalData {
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

  /// Returns the paths of the external files as written in the model, or nil if it is not ONNX.
  ///
  /// The paths are usually relative to the model's folder.
  static func locations(in model: [UInt8]) -> Set<String>? {
    var found: Set<String> = []
    let parts = replaceExternalData(in: model, isSearch: true) { entries in
      if let location = entries["location"] { found.insert(location) }
      return []
    }
    return parts == nil ? nil : found
  }

  /// Returns the model with embedded tensors, or nil if some of their bytes are missing.
  ///
  /// `files` contains the bytes of each file that `locations(in:)` returns.
  static func embed(_ files: [String: [UInt8]], in model: [UInt8]) -> [UInt8]? {
    var embeddedBytes = 0
    let parts = replaceExternalData(in: model) { entries in
      guard let file = entries["location"].flatMap({ files[$0] }),
        let offset = Int(entries["offset"] ?? "0"), 0...file.count ~= offset,
        let length = Int(entries["length"] ?? "0"), 0...(file.count - offset) ~= length
      else { return nil }
      // Without a length, the data continues to the end of the file. OpenVINO treats 0 the same.
      let data = length == 0 ? file[offset...] : file[offset..<(offset + length)]
      // Many tensors may refer to the same bytes.
      embeddedBytes += data.count
      return embeddedBytes <= RegularFile.limit ? data : nil
    }
    return parts.map { Array($0.joined()) }
  }

  /// Returns the parts of a model in which the result of `data` replaces external data.
  ///
  /// The parts share their bytes with the model and with the results. `data` receives the entries
  /// that describe the external data of a tensor. Returns nil if the model is malformed, or if
  /// `data` returns nil. A search calls `data` but replaces nothing, because a hostile model can
  /// have millions of fields to replace.
  private static func replaceExternalData(
    in model: [UInt8], isSearch: Bool = false,
    by data: ([String: String]) -> ArraySlice<UInt8>?
  ) -> [ArraySlice<UInt8>]? {
    var isWhole = true
    /// Returns the parts of a changed message, or nil if nothing changes.
    func parts(_ message: Message, _ bytes: ArraySlice<UInt8>, depth: Int) -> [ArraySlice<UInt8>]? {
      guard depth < deepest else {
        isWhole = false
        return nil
      }
      var result: [ArraySlice<UInt8>] = []
      var entries: [String: String] = [:]
      var added: [ArraySlice<UInt8>] = []
      var copied = bytes.startIndex
      func replace(_ field: ArraySlice<UInt8>, by parts: [ArraySlice<UInt8>]) {
        if isSearch { return }
        result += [bytes[copied..<field.startIndex]] + parts
        copied = field.endIndex
      }
      let fits = ProtobufFields.forEach(in: bytes) { number, content, field in
        // TensorProto: data_location = 14.
        if message == .tensor && number == 14 { replace(field, by: []) }
        guard let content, let kind = message.content(of: number) else { return }
        if kind == .entry {
          guard let entry = entry(content) else { return isWhole = false }
          entries[entry.key] = entry.value
          replace(field, by: [])
        } else if let inner = parts(kind, content, depth: depth + 1) {
          let length = inner.reduce(0) { $0 + $1.count }
          replace(field, by: [ProtobufFields.head(of: number, length: length)[...]] + inner)
        }
      }
      if !fits { isWhole = false }
      if entries["location"] != nil {
        guard let data = data(entries) else {
          isWhole = false
          return nil
        }
        // TensorProto: raw_data = 9.
        if !isSearch { added = [ProtobufFields.head(of: 9, length: data.count)[...], data] }
      }
      return result.isEmpty ? nil : result + [bytes[copied...]] + added
    }
    let changed = parts(.model, model[...], depth: 0) ?? [model[...]]
    return isWhole ? changed : nil
  }

  /// StringStringEntryProto: key = 1, value = 2.
  private static func entry(_ bytes: ArraySlice<UInt8>) -> (key: String, value: String)? {
    var (key, value): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], [])
    let fits = ProtobufFields.forEach(in: bytes) { field, content, _ in
      if field == 1 { key = content ?? [] }
      if field == 2 { value = content ?? [] }
    }
    guard fits, let key = String(validating: key, as: UTF8.self),
      let value = String(validating: value, as: UTF8.self)
    else { return nil }
    return (key, value)
  }
}
