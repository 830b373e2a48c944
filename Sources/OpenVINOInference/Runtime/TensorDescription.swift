import COpenVINO

/// The type of a tensor's elements.
///
/// Types that are used, or that occur in files, have a name. Others have a number.
enum TensorElementType: Equatable {
  case float32
  case other(String)

  init(_ type: ov_element_type_e) {
    switch type {
    case F32: self = .float32
    case F16: self = .other("f16")
    case BF16: self = .other("bf16")
    case F64: self = .other("f64")
    case U8: self = .other("u8")
    case I8: self = .other("i8")
    case I32: self = .other("i32")
    case I64: self = .other("i64")
    default: self = .other("type \(type.rawValue)")
    }
  }

  /// OpenVINO's name of the type, or its number.
  var name: String {
    switch self {
    case .float32: "f32"
    case .other(let name): name
    }
  }
}

/// One input or output of a network.
struct TensorDescription: CustomStringConvertible, Equatable {
  /// The name in the file, or empty if the tensor is unnamed.
  var name: String
  /// The type of the tensor's elements.
  var type: TensorElementType
  /// The dimensions, with nil for an open dimension, or nil if the number of dimensions is open.
  var shape: [Int?]?

  /// The dimensions, or nil if one of them is open.
  var fixedShape: [Int]? {
    guard let shape else { return nil }
    let known = shape.compactMap { $0 }
    return known.count == shape.count ? known : nil
  }

  var description: String {
    let sizes = shape.map { $0.map { $0.map(String.init) ?? "?" }.joined(separator: "x") } ?? "?"
    return "\(name.isEmpty ? "unnamed" : name) \(type.name) \(sizes.isEmpty ? "scalar" : sizes)"
  }
}
