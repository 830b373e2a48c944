import COpenVINO
import Matting
import Synchronization

/// A network compiled for a device, with its weights and execution plan: `ov_compiled_model_t`.
///
/// Safety: the object owns its handle. OpenVINO allows its use on any thread.
@safe final class CompiledNetwork: @unchecked Sendable {
  let library: OpenVINOLibrary
  let handle: OpaquePointer
  // The cached bytes: OpenVINO reads the weights from this memory in each inference.
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

  deinit { unsafe library.free { unsafe $0.pointee.ov_compiled_model_free(handle) } }

  /// Whether the network was restored from the cache.
  var isRestored: Bool { memory != nil }

  /// Whether several segmenters use the network, each on its own thread.
  var isShared: Bool { users.load(ordering: .relaxed) > 1 }

  /// Whether an inference has failed.
  ///
  /// The network gets no new users after that: in tests, OpenVINO's CPU device stayed broken after
  /// an error inside a network.
  var isBroken: Bool { broken.load(ordering: .relaxed) }

  /// Adds `change` to the number of users.
  func countUsers(_ change: Int) { users.add(change, ordering: .relaxed) }

  /// Records that an inference has failed, which prevents new users.
  func setBroken() { broken.store(true, ordering: .relaxed) }

  /// Returns the value of an OpenVINO property, or nil if the device does not have it.
  func property(_ name: String) -> String? {
    unsafe library.text { unsafe $0.pointee.ov_compiled_model_get_property(handle, name, $1) }
  }

  /// Writes the compiled network to a file for `Core.restore`, and returns whether it succeeded.
  func export(to file: String) -> Bool {
    unsafe library.call { unsafe $0.pointee.ov_compiled_model_export_model(handle, file) } == OK
  }
}
