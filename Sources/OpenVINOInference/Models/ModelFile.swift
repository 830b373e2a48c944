import InferenceTypes
import InputFiles

/// A model file that is checked before OpenVINO reads it.
///
/// OpenVINO tries all of its readers on an unknown file. This type accepts only files that look
/// like one of three formats, and throws a specific error for each problem.
struct ModelFile {
  /// The supported formats.
  ///
  /// The file name's extension must match, because OpenVINO relies on it.
  enum Format: String, CaseIterable {
    case onnx
    case tflite
    /// OpenVINO's own format, with the weights in a `.bin` file in the same folder.
    case xml

    /// The name of OpenVINO's library for the format.
    var reader: String {
      switch self {
      case .onnx: "onnx_frontend"
      case .tflite: "tensorflow_lite_frontend"
      case .xml: "ir_frontend"
      }
    }
  }

  let path: String
  let format: Format

  /// Checks the file's name and beginning.
  init(_ path: String) throws(SegmentationError) {
    self.path = path
    let head = try RegularFile.ofModel(path).bytes(upTo: 16)
    if head.isEmpty {
      throw SegmentationError(
        .modelUnreadable, "\(path) is empty. \(SegmentationError.remedyForDamage)")
    }
    let format = Format.allCases.first { path.lowercased().hasSuffix("." + $0.rawValue) }
    guard let format else {
      throw SegmentationError(
        .modelUnreadable,
        "\(path) has an unknown format: the name of a model ends in .onnx, .tflite or .xml.")
    }
    guard Self.begins(head, as: format) else {
      throw SegmentationError(
        .modelUnreadable,
        "\(path) does not contain what its name says: it does not begin like a .\(format) file. "
          + SegmentationError.remedyForDamage)
    }
    self.format = format
  }

  /// Returns the bytes of the whole file.
  func contents(isCancelled: () -> Bool = { false }) throws(SegmentationError) -> [UInt8] {
    try RegularFile.ofModel(path).bytes(isCancelled: isCancelled)
  }

  private static func begins(_ head: [UInt8], as format: Format) -> Bool {
    switch format {
    case .tflite:
      return head.count >= 8 && head[4..<8].elementsEqual("TFL3".utf8)
    case .xml:
      let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
      return text.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    case .onnx:
      // A protobuf message has no magic number. It begins with the key of a field of ModelProto.
      // A key consists of the field's number and wire type: 0 for integers, 2 for other fields.
      let integers: [UInt64] = [1, 5]
      let messages: [UInt64] = [2, 3, 4, 6, 7, 8, 14, 20, 25, 26]
      var rest = head[...]
      let key = ProtobufFields.integer(&rest)
      return integers.contains { key == $0 << 3 } || messages.contains { key == $0 << 3 | 2 }
    }
  }
}
