import COpenVINO
import InferenceTypes

/// An inference request with its tensors: `ov_infer_request_t`.
///
/// Safety: owns its handle and keeps the compiled network alive. One thread at a time uses it.
@safe final class InferenceRequest {
  private let library: OpenVINOLibrary
  private let handle: OpaquePointer
  private let network: CompiledNetwork
  private let path: String
  private let account = InferenceWorkers.Account()

  /// Creates a request for one segmenter, with `path` for its messages.
  init(of network: CompiledNetwork, path: String) throws(SegmentationError) {
    let library = network.library
    var request: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_compiled_model_create_infer_request(network.handle, &request)
    }
    let failure = "The device could not create an inference request for \(path)"
    try library.check(status, .deviceRefused, failure)
    guard let request = unsafe request else {
      throw SegmentationError(.deviceRefused, failure + ".")
    }
    unsafe handle = request
    self.network = network
    self.library = library
    self.path = path
  }

  deinit {
    unsafe library.free { unsafe $0.pointee.ov_infer_request_free(handle) }
  }

  /// Returns the request's own input tensor, for a network with one input.
  func inputTensor(shape: [Int]) throws(SegmentationError) -> FloatTensor {
    var tensor: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_infer_request_get_input_tensor(handle, &tensor)
    }
    try library.check(status, .deviceRefused, "Failed to get the input tensor")
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// Returns the request's own output tensor, by its index in the network.
  func outputTensor(_ index: Int, shape: [Int]) throws(SegmentationError) -> FloatTensor {
    var tensor: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_infer_request_get_output_tensor_by_index(handle, index, &tensor)
    }
    try library.check(status, .deviceRefused, "Failed to get the output tensor")
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// Sets the tensor of an input or output, which keeps it alive.
  func use(_ tensor: FloatTensor, as name: String) throws(SegmentationError) {
    let status = unsafe library.call {
      unsafe $0.pointee.ov_infer_request_set_tensor(handle, name, tensor.handle)
    }
    try library.check(status, .deviceRefused, "The device does not accept the tensor \(name)")
  }

  /// Runs the network once, to touch its memory and to check that the device can run it.
  ///
  /// The next inference then takes no longer than later ones.
  func rehearse(into matte: FloatTensor) throws(SegmentationError) {
    // Not on this thread: this thread loads networks, and OpenVINO would keep unused data for it.
    defer { _ = consumeHelperTime() }
    try run(into: matte, orThrow: .deviceRefused, onThisThread: false)
  }

  /// Runs the network and waits for it, with `matte` as the tensor at its output.
  ///
  /// Throws if the inference fails or leaves values that are not finite.
  func run(into matte: FloatTensor) throws(SegmentationError) {
    // The calling thread saves 20 microseconds. But there OpenVINO makes callers compete for a
    // lock, while its own threads take inferences in order.
    try run(into: matte, orThrow: .inferenceFailed, onThisThread: !network.isShared)
  }

  private func run(
    into matte: FloatTensor, orThrow kind: SegmentationError.Kind, onThisThread: Bool
  ) throws(SegmentationError) {
    // With one thread, OpenVINO's CPU device was seen to drop an error inside a network and to
    // report success, with the matte of an earlier picture in the tensor. A remaining NaN reveals
    // that. The check also stops NaN from a broken network.
    matte.fill(.nan)
    InferenceWorkers.shared.begin(account)
    let status = infer(onThisThread: onThisThread)
    InferenceWorkers.shared.end(account)
    if status == OK && matte.isFinite { return }
    network.setBroken()
    try library.check(status, kind, "The inference with \(path) failed")
    throw SegmentationError(
      kind, "The inference with \(path) failed: it produced a matte that is not finite.")
  }

  /// Returns the CPU time of OpenVINO's own threads for this request since the last call, in
  /// nanoseconds.
  func consumeHelperTime() -> UInt64 {
    InferenceWorkers.shared.take(account)
  }

  /// Runs OpenVINO's part of an inference only.
  func infer(onThisThread: Bool) -> ov_status_e {
    unsafe library.call { api in
      if onThisThread { return unsafe api.pointee.ov_infer_request_infer(handle) }
      let status = unsafe api.pointee.ov_infer_request_start_async(handle)
      return status == OK ? unsafe api.pointee.ov_infer_request_wait(handle) : status
    }
  }
}
