import COpenVINO
import InferenceTypes

/// A network before it is compiled, with its inputs and outputs: `ov_model_t`.
///
/// Safety: the object owns its handle. Methods change the network, so only one thread at a time may
/// use it, on any thread.
@safe final class Network: @unchecked Sendable {
  let path: String
  private(set) var handle: OpaquePointer
  let library: OpenVINOLibrary

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

  deinit {
    unsafe library.free { unsafe $0.pointee.ov_model_free(handle) }
  }

  /// Frees the handle, and takes ownership of `new` instead.
  @unsafe func replaceHandle(with new: OpaquePointer) throws(SegmentationError) {
    unsafe library.free { unsafe $0.pointee.ov_model_free(handle) }
    unsafe handle = new
    try describe()
  }

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
      let status = unsafe library.call {
        unsafe $0.pointee.ov_partial_shape_create_static(
          Int64(shape.count), shape.map(Int64.init), &new)
      }
      try library.check(status, .modelUnknown, "OpenVINO could not create the shape \(shape)")
      unsafe partial.append(new)
    }
    let status = unsafe library.call {
      unsafe $0.pointee.ov_model_reshape_by_port_indexes(
        handle, shapes.map(\.index), partial, shapes.count)
    }
    try library.check(status, .modelUnknown, "\(path) does not accept pictures of this size")
    try describe()
  }

  private func describe() throws(SegmentationError) {
    var inputCount = 0
    var outputCount = 0
    var status = unsafe library.call {
      unsafe $0.pointee.ov_model_inputs_size(handle, &inputCount)
    }
    try library.check(status, .modelUnreadable, "\(path): its inputs cannot be counted")
    status = unsafe library.call {
      unsafe $0.pointee.ov_model_outputs_size(handle, &outputCount)
    }
    try library.check(status, .modelUnreadable, "\(path): its outputs cannot be counted")

    inputs = []
    for index in 0..<inputCount {
      var port: OpaquePointer?
      status = unsafe library.call {
        unsafe $0.pointee.ov_model_const_input_by_index(handle, index, &port)
      }
      try library.check(status, .modelUnreadable, "\(path): input \(index) cannot be read")
      try inputs.append(unsafe description(freeing: port))
    }
    outputs = []
    for index in 0..<outputCount {
      var port: OpaquePointer?
      status = unsafe library.call {
        unsafe $0.pointee.ov_model_const_output_by_index(handle, index, &port)
      }
      try library.check(status, .modelUnreadable, "\(path): output \(index) cannot be read")
      try outputs.append(unsafe description(freeing: port))
    }
  }

  private func description(
    freeing port: OpaquePointer?
  ) throws(SegmentationError) -> TensorDescription {
    defer { unsafe library.free { unsafe $0.pointee.ov_output_const_port_free(port) } }

    // In OpenVINO's own format a tensor may have no name.
    var name: UnsafeMutablePointer<CChar>?
    let named =
      unsafe library.call {
        unsafe $0.pointee.ov_port_get_any_name(port, &name)
      } == OK
    let text = named ? unsafe library.text(owned: name) : nil

    var type = ov_element_type_e(0)
    var status = unsafe library.call {
      unsafe $0.pointee.ov_port_get_element_type(port, &type)
    }
    try library.check(status, .modelUnreadable, "\(path): the type of a tensor cannot be read")

    var partial = unsafe ov_partial_shape_t()
    status = unsafe library.call {
      unsafe $0.pointee.ov_port_get_partial_shape(port, &partial)
    }
    try library.check(status, .modelUnreadable, "\(path): the shape of a tensor cannot be read")
    defer { unsafe library.free { unsafe $0.pointee.ov_partial_shape_free(&partial) } }
    return TensorDescription(
      name: text ?? "", type: TensorElementType(type), shape: unsafe Self.shape(of: partial))
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
