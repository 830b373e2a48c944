import COpenVINO

/// An input or output of a network.
struct TensorDescription: CustomStringConvertible {
  /// The name in the file, or empty if the tensor is unnamed.
  var name: String
  /// OpenVINO's name of the type of the elements, or the number of a rare type.
  var type: String
  /// The dimensions, with nil for an open dimension, or nil if the number of dimensions is open.
  var shape: [Int?]?

  /// Returns the text for `type`.
  static func name(of type: ov_element_type_e) -> String {
    let names = [
      (F32, "f32"), (F16, "f16"), (BF16, "bf16"), (F64, "f64"), (U8, "u8"), (I8, "i8"),
      (I32, "i32"), (I64, "i64"),
    ]
    return names.first { $0.0 == type }?.1 ?? "type \(type.rawValue)"
  }

  var isFloat32: Bool { type == "f32" }

  /// The dimensions, or nil if one of them is open.
  var fixedShape: [Int]? {
    guard let shape else { return nil }
    let known = shape.compactMap { $0 }
    return known.count == shape.count ? known : nil
  }

  var description: String {
    let sizes = shape.map { $0.map { $0.map(String.init) ?? "?" }.joined(separator: "x") } ?? "?"
    return "\(name.isEmpty ? "unnamed" : name) \(type) \(sizes.isEmpty ? "scalar" : sizes)"
  }
}
