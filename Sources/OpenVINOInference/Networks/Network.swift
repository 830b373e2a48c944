import COpenVINO
import Matting

/// A network before it is compiled, with its inputs and outputs: `ov_model_t`.
///
/// Safety: the object owns its handle. Methods change the network, so only one thread at a time may
/// use it, on any thread.
@safe final class Network: @unchecked Sendable {
  let path: String
  private(set) var handle: OpaquePointer
  private let library: OpenVINOLibrary

  /// The inputs, in the order of the file.
  private(set) var inputs: [TensorDescription] = []
  /// The outputs, in the order of the file.
  private(set) var outputs: [TensorDescription] = []

  @unsafe init(
    owning handle: OpaquePointer, library: OpenVINOLibrary, path: String
  ) throws(SegmentationError) {
    unsafe self.handle = handle
    self.library = library
    self.path = path
    try describe()
  }

  deinit { unsafe library.free { unsafe $0.pointee.ov_model_free(handle) } }

  // MARK: - Changes

  /// Sets the shapes of inputs by their indices, with fixed dimensions only.
  ///
  /// Throws `.modelUnknown` if the network does not support them, and leaves it unchanged.
  func reshape(_ shapes: [(index: Int, shape: [Int])]) throws(SegmentationError) {
    var partial: [ov_partial_shape_t] = unsafe []
    defer {
      for index in unsafe partial.indices {
        unsafe library.free { unsafe $0.pointee.ov_partial_shape_free(&partial[index]) }
      }
    }
    for (_, shape) in shapes {
      var new = unsafe ov_partial_shape_t()
      let dimensions = shape.map(Int64.init)
      try unsafe library.call(
        orThrow: .modelUnknown, "OpenVINO could not create the shape \(shape)"
      ) { unsafe $0.pointee.ov_partial_shape_create_static(Int64(shape.count), dimensions, &new) }
      unsafe partial.append(new)
    }
    try unsafe library.call(
      orThrow: .modelUnknown, "\(path) does not accept pictures of this size"
    ) {
      unsafe $0.pointee.ov_model_reshape_by_port_indexes(
        handle, shapes.map(\.index), partial, shapes.count)
    }
    try describe()
  }

  /// Makes OpenVINO convert all inputs and outputs to f32.
  ///
  /// Throws `.modelUnknown` if that is not possible.
  func convertToFloats() throws(SegmentationError) {
    func others(_ tensors: [TensorDescription]) -> [Int] {
      tensors.indices.filter { !tensors[$0].isFloat32 }
    }
    let (inputs, outputs) = (others(inputs), others(outputs))
    if inputs.isEmpty && outputs.isEmpty { return }

    let failure = "\(path): its tensors cannot be converted to f32"
    func make(
      _ body: (OpenVINOFunctions, UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
    ) throws(SegmentationError) -> OpaquePointer {
      try unsafe library.make(orThrow: .modelUnknown, failure, body)
    }
    let processor = try unsafe make {
      unsafe $0.pointee.ov_preprocess_prepostprocessor_create(handle, $1)
    }
    defer {
      unsafe library.free { unsafe $0.pointee.ov_preprocess_prepostprocessor_free(processor) }
    }
    for index in inputs {
      let info = try unsafe make {
        unsafe $0.pointee.ov_preprocess_prepostprocessor_get_input_info_by_index(
          processor, index, $1)
      }
      defer { unsafe library.free { unsafe $0.pointee.ov_preprocess_input_info_free(info) } }
      let tensor = try unsafe make {
        unsafe $0.pointee.ov_preprocess_input_info_get_tensor_info(info, $1)
      }
      try unsafe library.call(orThrow: .modelUnknown, failure) { api in
        defer { unsafe api.pointee.ov_preprocess_input_tensor_info_free(tensor) }
        return unsafe api.pointee.ov_preprocess_input_tensor_info_set_element_type(tensor, F32)
      }
    }
    for index in outputs {
      let info = try unsafe make {
        unsafe $0.pointee.ov_preprocess_prepostprocessor_get_output_info_by_index(
          processor, index, $1)
      }
      defer { unsafe library.free { unsafe $0.pointee.ov_preprocess_output_info_free(info) } }
      let tensor = try unsafe make {
        unsafe $0.pointee.ov_preprocess_output_info_get_tensor_info(info, $1)
      }
      try unsafe library.call(orThrow: .modelUnknown, failure) { api in
        defer { unsafe api.pointee.ov_preprocess_output_tensor_info_free(tensor) }
        return unsafe api.pointee.ov_preprocess_output_set_element_type(tensor, F32)
      }
    }
    let converted = try unsafe make {
      unsafe $0.pointee.ov_preprocess_prepostprocessor_build(processor, $1)
    }
    unsafe library.free { unsafe $0.pointee.ov_model_free(handle) }
    unsafe handle = converted
    try describe()
  }

  // MARK: - Tensors

  private func describe() throws(SegmentationError) {
    inputs = try unsafe tensors(
      "input", count: { unsafe $0.pointee.ov_model_inputs_size(handle, $1) },
      port: { unsafe $0.pointee.ov_model_const_input_by_index(handle, $1, $2) })
    outputs = try unsafe tensors(
      "output", count: { unsafe $0.pointee.ov_model_outputs_size(handle, $1) },
      port: { unsafe $0.pointee.ov_model_const_output_by_index(handle, $1, $2) })
  }

  private func tensors(
    _ kind: String, count: (OpenVINOFunctions, UnsafeMutablePointer<Int>) -> ov_status_e,
    port: (OpenVINOFunctions, Int, UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
  ) throws(SegmentationError) -> [TensorDescription] {
    var number = 0
    try unsafe library.call(
      orThrow: .modelUnreadable, "\(path): its \(kind)s cannot be counted"
    ) { unsafe count($0, &number) }
    return try (0..<number).map { (index) throws(SegmentationError) in
      try unsafe description(
        freeing: library.make(
          orThrow: .modelUnreadable, "\(path): \(kind) \(index) cannot be read"
        ) { unsafe port($0, index, $1) })
    }
  }

  private func description(
    freeing port: OpaquePointer
  ) throws(SegmentationError) -> TensorDescription {
    defer { unsafe library.free { unsafe $0.pointee.ov_output_const_port_free(port) } }

    // In OpenVINO's own format a tensor may have no name.
    let name = unsafe library.text { unsafe $0.pointee.ov_port_get_any_name(port, $1) } ?? ""
    var type = ov_element_type_e(0)
    try unsafe library.call(
      orThrow: .modelUnreadable, "\(path): the type of a tensor cannot be read"
    ) { unsafe $0.pointee.ov_port_get_element_type(port, &type) }
    var partial = unsafe ov_partial_shape_t()
    try unsafe library.call(
      orThrow: .modelUnreadable, "\(path): the shape of a tensor cannot be read"
    ) { unsafe $0.pointee.ov_port_get_partial_shape(port, &partial) }
    defer { unsafe library.free { unsafe $0.pointee.ov_partial_shape_free(&partial) } }
    return TensorDescription(
      name: name, type: TensorDescription.name(of: type), shape: unsafe Self.shape(of: partial))
  }

  private static func shape(of partial: ov_partial_shape_t) -> [Int?]? {
    guard unsafe partial.rank.min == partial.rank.max, let dims = unsafe partial.dims else {
      return unsafe partial.rank.max == 0 ? [] : nil
    }
    return unsafe UnsafeBufferPointer(start: dims, count: Int(clamping: partial.rank.max)).map {
      $0.min == $0.max ? Int(clamping: $0.max) : nil
    }
  }
}
