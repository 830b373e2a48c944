import COpenVINO
import InferenceTypes
import Synchronization

/// A network made ready for a device: `ov_compiled_model_t`, the weights and the plan of the work.
///
/// Safety: owns its handle, which OpenVINO lets be used on any thread.
@safe final class CompiledNetwork: @unchecked Sendable {
  let library: OpenVINOLibrary
  let handle: OpaquePointer
  // What the cache had of it: OpenVINO leaves the weights there and reads them in each inference.
  private let memory: MemoryBlock?
  private let users = Atomic<Int>(0)
  private let broken = Atomic<Bool>(false)

  @unsafe init(
    owning handle: OpaquePointer, library: OpenVINOLibrary, restoredFrom memory: MemoryBlock?
  ) {
    unsafe self.handle = handle
    self.library = library
    self.memory = memory
  }

  deinit {
    unsafe library.free { unsafe $0.pointee.ov_compiled_model_free(handle) }
  }

  /// Whether it comes from the cache.
  var isRestored: Bool { memory != nil }

  /// Whether several segmenters run inferences of it, each on a thread of its own.
  var isShared: Bool { users.load(ordering: .relaxed) > 1 }

  /// Whether an inference of it failed, after which it gets no new users: OpenVINO's CPU device was
  /// seen to stay broken after an error inside a network.
  var isBroken: Bool { broken.load(ordering: .relaxed) }

  /// Counts one user more or less.
  func countUsers(_ change: Int) {
    users.add(change, ordering: .relaxed)
  }

  /// Gives it no new users.
  func setBroken() {
    broken.store(true, ordering: .relaxed)
  }

  /// Returns the value of an OpenVINO property for tests, or nil if the device does not know it.
  func property(_ name: String) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_compiled_model_get_property(handle, name, &value)
    }
    return status == OK ? unsafe library.text(owned: value) : nil
  }

  /// Writes it to a file, for `Core.restore`; says whether that worked.
  func export(to file: String) -> Bool {
    unsafe library.call { unsafe $0.pointee.ov_compiled_model_export_model(handle, file) } == OK
  }
}
