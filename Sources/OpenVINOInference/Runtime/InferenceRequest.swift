import COpenVINO
import InferenceTypes

/// One inference with its tensors: `ov_infer_request_t`.
///
/// Safety: owns its handle and keeps the compiled network alive; used on one thread at a time.
@safe final class InferenceRequest {
  private let library: OpenVINOLibrary
  private let handle: OpaquePointer
  private let network: CompiledNetwork
  private let path: String
  private let account = InferenceWorkers.Account()

  /// Makes a request for one segmenter; `path` is for its messages.
  init(of network: CompiledNetwork, path: String) throws(SegmentationError) {
    let library = network.library
    var request: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_compiled_model_create_infer_request(network.handle, &request)
    }
    try library.check(status, .deviceRefused, "The device makes no inference request for \(path)")
    guard let request = unsafe request else {
      throw SegmentationError(.deviceRefused, "The device makes no inference request for \(path).")
    }
    unsafe handle = request
    self.network = network
    self.library = library
    self.path = path
  }

  deinit {
    unsafe library.free { unsafe $0.pointee.ov_infer_request_free(handle) }
  }

  /// The request's own input tensor, for a network that has one input.
  func inputTensor(shape: [Int]) throws(SegmentationError) -> FloatTensor {
    var tensor: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_infer_request_get_input_tensor(handle, &tensor)
    }
    try library.check(status, .deviceRefused, "The input tensor cannot be had")
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// The request's own tensor of an output, by its index in the network.
  func outputTensor(_ index: Int, shape: [Int]) throws(SegmentationError) -> FloatTensor {
    var tensor: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_infer_request_get_output_tensor_by_index(handle, index, &tensor)
    }
    try library.check(status, .deviceRefused, "The output tensor cannot be had")
    return try unsafe FloatTensor(owning: tensor, shape: shape, library: library)
  }

  /// Puts a tensor at an input or output, which keeps it alive as well.
  func use(_ tensor: FloatTensor, as name: String) throws(SegmentationError) {
    let status = unsafe library.call {
      unsafe $0.pointee.ov_infer_request_set_tensor(handle, name, tensor.handle)
    }
    try library.check(status, .deviceRefused, "The device does not take the tensor \(name)")
  }

  /// Runs the network once, so that all its memory was touched and the next inference takes no
  /// longer than the ones after it, and finds out whether the device can do it.
  func rehearse(into matte: FloatTensor) throws(SegmentationError) {
    // Not on this thread: it loads networks, and what OpenVINO would keep for it, of no further use.
    defer { _ = takeHelperTime() }
    try run(into: matte, orThrow: .deviceRefused, onThisThread: false)
  }

  /// Runs the network and waits for it; `matte` has to be the tensor at its output.
  ///
  /// Throws when the inference fails, and when it leaves anything else than numbers.
  func run(into matte: FloatTensor) throws(SegmentationError) {
    // On the calling thread it takes 20 microseconds less. But there OpenVINO lets callers compete
    // for a lock, and its own threads take inferences up one after the other as they come.
    try run(into: matte, orThrow: .inferenceFailed, onThisThread: !network.isShared)
  }

  private func run(
    into matte: FloatTensor, orThrow kind: SegmentationError.Kind, onThisThread: Bool
  ) throws(SegmentationError) {
    // With one thread OpenVINO's CPU device was seen to drop an error inside a network and to report
    // success, the matte of an earlier picture still in the tensor: a NaN that is left tells. That
    // also keeps the NaN of a broken network from going any further.
    matte.fill(.nan)
    InferenceWorkers.shared.begin(account)
    let status = infer(onThisThread: onThisThread)
    InferenceWorkers.shared.end(account)
    if status == OK && matte.isFinite { return }
    network.setBroken()
    try library.check(status, kind, "The inference with \(path) failed")
    throw SegmentationError(
      kind, "The inference with \(path) failed: it left values in the matte that are no numbers.")
  }

  /// Nanoseconds that OpenVINO's own threads computed for this request since the last call.
  func takeHelperTime() -> UInt64 {
    InferenceWorkers.shared.take(account)
  }

  /// OpenVINO's part of an inference, and nothing else.
  func infer(onThisThread: Bool) -> ov_status_e {
    unsafe library.call { api in
      if onThisThread { return unsafe api.pointee.ov_infer_request_infer(handle) }
      let status = unsafe api.pointee.ov_infer_request_start_async(handle)
      return status == OK ? unsafe api.pointee.ov_infer_request_wait(handle) : status
    }
  }
}
