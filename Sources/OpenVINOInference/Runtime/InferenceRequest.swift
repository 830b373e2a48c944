import COpenVINO
import Matting

/// An inference request with its tensors: `ov_infer_request_t`.
///
/// Safety: the object owns its handle, and keeps the compiled network alive. Not thread-safe.
@safe final class InferenceRequest {
  private let library: OpenVINOLibrary
  private let handle: OpaquePointer
  private let network: CompiledNetwork
  private let path: String
  private let account = InferenceWorkers.Account()

  /// Creates a request for one segmenter, with the model's `path` for error messages.
  init(of network: CompiledNetwork, path: String) throws(SegmentationError) {
    self.network = network
    library = network.library
    self.path = path
    unsafe handle = try library.make(
      orThrow: .deviceRefused, "The device could not create an inference request for \(path)"
    ) { unsafe $0.pointee.ov_compiled_model_create_infer_request(network.handle, $1) }
  }

  deinit { unsafe library.free { unsafe $0.pointee.ov_infer_request_free(handle) } }

  /// Returns the input tensor that belongs to the request, for a network with one input.
  func inputTensor(shape: [Int]) throws(SegmentationError) -> FloatTensor {
    let tensor = try unsafe library.make(
      orThrow: .deviceRefused, "Failed to get the input tensor"
    ) { unsafe $0.pointee.ov_infer_request_get_input_tensor(handle, $1) }
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// Returns the output tensor that belongs to the request, by the output's index in the network.
  func outputTensor(_ index: Int, shape: [Int]) throws(SegmentationError) -> FloatTensor {
    let tensor = try unsafe library.make(
      orThrow: .deviceRefused, "Failed to get the output tensor"
    ) { unsafe $0.pointee.ov_infer_request_get_output_tensor_by_index(handle, index, $1) }
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// Sets the tensor of an input or output, and keeps the tensor alive.
  func use(_ tensor: FloatTensor, as name: String) throws(SegmentationError) {
    try unsafe library.call(
      orThrow: .deviceRefused, "The device does not accept the tensor \(name)"
    ) { unsafe $0.pointee.ov_infer_request_set_tensor(handle, name, tensor.handle) }
  }

  /// Runs the network once, to allocate its memory and to check that the device can run it.
  ///
  /// Without this, the first inference would take longer than later ones.
  func rehearse(into matte: FloatTensor) throws(SegmentationError) {
    // Do not run on this thread, which only loads networks: OpenVINO would keep unused data for it.
    defer { _ = consumeHelperTime() }
    try run(into: matte, orThrow: .deviceRefused, onThisThread: false)
  }

  /// Runs the network and waits for the result in `matte`, its output tensor.
  ///
  /// Throws if the inference fails or produces values that are not finite.
  func run(into matte: FloatTensor) throws(SegmentationError) {
    // An inference on the calling thread saves 20 microseconds. But if several threads use the
    // network, they compete for a lock, while OpenVINO's own threads run inferences in order.
    try run(into: matte, orThrow: .inferenceFailed, onThisThread: !network.isShared)
  }

  private func run(
    into matte: FloatTensor, orThrow kind: SegmentationError.Kind, onThisThread: Bool
  ) throws(SegmentationError) {
    // In tests with one thread, OpenVINO's CPU device ignored an error inside a network. It
    // reported success, and the tensor contained the matte of an earlier picture. A remaining NaN
    // reveals that. The check also rejects NaN from a broken network.
    matte.fill(.nan)
    InferenceWorkers.shared.begin(account)
    let status = infer(onThisThread: onThisThread)
    InferenceWorkers.shared.end(account)
    if status == OK && matte.isFinite { return }
    network.setBroken()
    let reason =
      status == OK ? "it produced a matte that is not finite." : library.message(of: status)
    throw SegmentationError(kind, "The inference with \(path) failed: \(reason)")
  }

  /// Returns the CPU time of OpenVINO's own threads for this request since the last call, in
  /// nanoseconds.
  func consumeHelperTime() -> UInt64 { InferenceWorkers.shared.take(account) }

  /// Runs an inference, without checks and measurements.
  func infer(onThisThread: Bool) -> ov_status_e {
    unsafe library.call { api in
      if onThisThread { return unsafe api.pointee.ov_infer_request_infer(handle) }
      let status = unsafe api.pointee.ov_infer_request_start_async(handle)
      return status == OK ? unsafe api.pointee.ov_infer_request_wait(handle) : status
    }
  }
}
