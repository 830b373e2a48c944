import COpenVINO
import InferenceTypes

extension Network {
  /// Makes OpenVINO convert all inputs and outputs to f32.
  ///
  /// Throws `.modelUnknown` if that is not possible.
  func convertToFloats() throws(SegmentationError) {
    func others(_ tensors: [TensorDescription]) -> [Int] {
      tensors.indices.filter { tensors[$0].type != .float32 }
    }
    let (inputs, outputs) = (others(inputs), others(outputs))
    if inputs.isEmpty && outputs.isEmpty { return }

    func make(
      _ call: (UnsafePointer<openvino_functions>) -> ov_status_e
    ) throws(SegmentationError) {
      let status = unsafe library.call(call)
      try library.check(status, .modelUnknown, "\(path): its tensors cannot be converted to f32")
    }
    var processor: OpaquePointer?
    try unsafe make { unsafe $0.pointee.ov_preprocess_prepostprocessor_create(handle, &processor) }
    defer {
      unsafe library.free { unsafe $0.pointee.ov_preprocess_prepostprocessor_free(processor) }
    }
    for index in inputs {
      var info: OpaquePointer?
      try unsafe make {
        unsafe $0.pointee.ov_preprocess_prepostprocessor_get_input_info_by_index(
          processor, index, &info)
      }
      defer { unsafe library.free { unsafe $0.pointee.ov_preprocess_input_info_free(info) } }
      var tensor: OpaquePointer?
      try unsafe make { unsafe $0.pointee.ov_preprocess_input_info_get_tensor_info(info, &tensor) }
      defer {
        unsafe library.free { unsafe $0.pointee.ov_preprocess_input_tensor_info_free(tensor) }
      }
      try unsafe make {
        unsafe $0.pointee.ov_preprocess_input_tensor_info_set_element_type(tensor, F32)
      }
    }
    for index in outputs {
      var info: OpaquePointer?
      try unsafe make {
        unsafe $0.pointee.ov_preprocess_prepostprocessor_get_output_info_by_index(
          processor, index, &info)
      }
      defer { unsafe library.free { unsafe $0.pointee.ov_preprocess_output_info_free(info) } }
      var tensor: OpaquePointer?
      try unsafe make { unsafe $0.pointee.ov_preprocess_output_info_get_tensor_info(info, &tensor) }
      defer {
        unsafe library.free { unsafe $0.pointee.ov_preprocess_output_tensor_info_free(tensor) }
      }
      try unsafe make { unsafe $0.pointee.ov_preprocess_output_set_element_type(tensor, F32) }
    }
    var converted: OpaquePointer?
    try unsafe make {
      unsafe $0.pointee.ov_preprocess_prepostprocessor_build(processor, &converted)
    }
    guard let converted = unsafe converted else {
      throw SegmentationError(.modelUnknown, "\(path): its tensors cannot be converted to f32.")
    }
    try unsafe replaceHandle(with: converted)
  }
}
