import COpenVINO
import Glibc
import Synchronization

/// OpenVINO's libraries next to the main one: file readers and device plugins.
///
/// OpenVINO opens these libraries when it first uses them. This type opens them earlier, for two
/// reasons:
/// - Their static data is then destroyed after the wait for current calls (see `CallsInProgress`).
/// - They are opened with the same flags as the main library.
///
/// OpenVINO also creates static data inside functions, in each call that compiles a new kind of
/// network. That data must never be destroyed, because it would be destroyed before the wait, while
/// the call continues.
struct OpenVINOParts: ~Copyable, Sendable {
  private let folder: String
  private let flags: Int32
  private let known = Mutex<Set<String>>([])

  /// Finds the parts next to the library of a function, to be opened with `flags`.
  init(besideLibraryOf function: UnsafeRawPointer, flags: Int32) {
    let file = unsafe ImageFile.name(of: function) ?? ""
    // Ignore a relative path: the working directory may have changed.
    let end = file.hasPrefix("/") ? file.lastIndex(of: "/") : nil
    folder = end.map { String(file[..<$0]) } ?? ""
    self.flags = flags
  }

  /// Opens the existing readers and plugins with these names, for example `onnx_frontend`.
  ///
  /// They stay open, as in OpenVINO. If one cannot be opened, OpenVINO handles it later.
  func open(_ names: [String]) {
    known.withLock { known in
      let new = names.filter { known.insert($0).inserted }
      if new.isEmpty { return }
      let libraries = libraries()
      CallsInProgress.make(orAtExit: ()) {
        for library in libraries
        where flags & RTLD_DEEPBIND != 0 || new.contains(where: { library.contains("_\($0).so") }) {
          _ = unsafe dlopen(library, flags)
        }
      }
      for library in libraries { unsafe openvino_keep_static_data(library) }
      CallsInProgress.finishBeforeExit()
    }
  }

  /// Opens the plugins that a device needs.
  ///
  /// `device` is OpenVINO's name, for example `GPU.1` or `AUTO:GPU,CPU`.
  func open(plugin device: String) {
    // OpenVINO queries the batch plugin for each network.
    open(
      ["auto_batch_plugin"]
        + device.split { ":,".contains($0) }.map {
          $0.prefix { $0.isLetter }.lowercased() + "_plugin"
        })
  }

  /// The devices with plugins in a separate Debian package, and the plugins' names.
  private static let separate = [
    "AUTO": "auto", "BATCH": "auto_batch", "GPU": "intel_gpu", "HETERO": "hetero",
    "MULTI": "auto", "NPU": "intel_npu",
  ]

  /// Returns the parts of a device's name whose plugins are missing and in the separate package.
  func missingPlugins(of device: String) -> [String] {
    let libraries = libraries()
    return device.split { ":,".contains($0) }.map { String($0.prefix { $0.isLetter }) }.filter {
      guard let plugin = Self.separate[$0] else { return false }
      return !libraries.contains { $0.contains("openvino_\(plugin)_plugin.so") }
    }
  }

  private func libraries() -> [String] {
    // An empty path cannot be opened.
    RuntimeFolder.names(in: folder).filter { $0.hasPrefix("libopenvino") && $0.contains(".so") }
      .map { "\(folder)/\($0)" }
  }
}
