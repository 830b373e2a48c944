import COpenVINO
import VirtualBackground

/// A network made ready for a device: `ov_compiled_model_t`.
///
/// Safety: owns its handle; used on one thread at a time.
@safe final class CompiledNetwork {
  private let library: OpenVINOLibrary
  private let handle: OpaquePointer

  private let path: String

  @unsafe init(owning handle: OpaquePointer, library: OpenVINOLibrary, path: String) {
    unsafe self.handle = handle
    self.library = library
    self.path = path
  }

  deinit {
    unsafe library.functions.pointee.ov_compiled_model_free(handle)
  }

  func makeRequest() throws(SegmentationError) -> InferenceRequest {
    var request: OpaquePointer?
    let status = unsafe library.functions.pointee.ov_compiled_model_create_infer_request(
      handle, &request)
    try library.check(status, .deviceRefused, "The device makes no inference request for \(path)")
    guard let request = unsafe request else {
      throw SegmentationError(.deviceRefused, "The device makes no inference request for \(path).")
    }
    return unsafe InferenceRequest(owning: request, library: library, path: path)
  }
}
