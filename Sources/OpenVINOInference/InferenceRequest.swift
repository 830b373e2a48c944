import COpenVINO
import VirtualBackground

/// One inference with its tensors: `ov_infer_request_t`.
///
/// Safety: owns its handle, and by it keeps the compiled network alive; used on one thread at a
/// time.
@safe final class InferenceRequest {
  private let library: OpenVINOLibrary
  private let handle: OpaquePointer
  private let path: String

  @unsafe init(owning handle: OpaquePointer, library: OpenVINOLibrary, path: String) {
    unsafe self.handle = handle
    self.library = library
    self.path = path
  }

  deinit {
    unsafe library.functions.pointee.ov_infer_request_free(handle)
  }

  /// The request's own input tensor, for a network that has one input.
  func inputTensor(shape: [Int]) throws(SegmentationError) -> FloatTensor {
    var tensor: OpaquePointer?
    let status = unsafe library.functions.pointee.ov_infer_request_get_input_tensor(handle, &tensor)
    try library.check(status, .deviceRefused, "The input tensor cannot be had")
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// The request's own output tensor, for a network that has one output.
  func outputTensor(shape: [Int]) throws(SegmentationError) -> FloatTensor {
    var tensor: OpaquePointer?
    let status = unsafe library.functions.pointee.ov_infer_request_get_output_tensor(
      handle, &tensor)
    try library.check(status, .deviceRefused, "The output tensor cannot be had")
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// Puts a tensor at an input or output, which keeps it alive as well.
  func use(_ tensor: FloatTensor, as name: String) throws(SegmentationError) {
    let status = unsafe library.functions.pointee.ov_infer_request_set_tensor(
      handle, name, tensor.handle)
    try library.check(status, .deviceRefused, "The device does not take the tensor \(name)")
  }

  /// Runs the network and waits for it; `matte` has to be the tensor at its output.
  ///
  /// Throws an error of `kind` when the inference fails, and when it leaves anything else than
  /// numbers: with one thread OpenVINO's CPU device was seen to drop an error inside a network and
  /// to report success, the matte of an earlier picture still in the tensor. So the tensor is
  /// filled with NaN first. That also keeps the NaN of a broken network from going any further.
  func run(
    into matte: FloatTensor, orThrow kind: SegmentationError.Kind = .inferenceFailed
  ) throws(SegmentationError) {
    matte.fill(.nan)
    let status = unsafe library.functions.pointee.ov_infer_request_infer(handle)
    try library.check(status, kind, "The inference with \(path) failed")
    if matte.isFinite { return }
    throw SegmentationError(
      kind, "The inference with \(path) failed: it left values in the matte that are no numbers.")
  }
}
