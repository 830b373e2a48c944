import InputFiles
import Matting

/// The format of a model file, which is checked before OpenVINO reads the file.
///
/// OpenVINO tries all of its readers on an unknown file, and relies on the file name's extension.
/// Here the name and the beginning must fit, and each problem has a specific error.
enum ModelFormat: String, CaseIterable {
  case onnx
  case tflite
  /// OpenVINO's own format, with the weights in a `.bin` file in the same folder.
  case xml

  /// Checks the name and the beginning of a file.
  init(ofFile path: String) throws(SegmentationError) {
    let head = try RegularFile.ofModel(path).bytes(upTo: 16)
    if head.isEmpty {
      throw SegmentationError(
        .modelUnreadable, "\(path) is empty. \(SegmentationError.remedyForDamage)")
    }
    let format = Self.allCases.first { path.lowercased().hasSuffix("." + $0.rawValue) }
    guard let format else {
      throw SegmentationError(
        .modelUnreadable,
        "\(path) has an unknown format: the name of a model ends in .onnx, .tflite or .xml.")
    }
    guard format.fits(head) else {
      throw SegmentationError(
        .modelUnreadable,
        "\(path) does not contain what its name says: it does not begin like a .\(format) file. "
          + SegmentationError.remedyForDamage)
    }
    self = format
  }

  /// The name of OpenVINO's library for the format.
  var reader: String {
    switch self {
    case .onnx: "onnx_frontend"
    case .tflite: "tensorflow_lite_frontend"
    case .xml: "ir_frontend"
    }
  }

  /// Returns whether a file may begin with the bytes `head`.
  private func fits(_ head: [UInt8]) -> Bool {
    switch self {
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
