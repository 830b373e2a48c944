import COpenVINO
import Glibc
import Synchronization

/// OpenVINO's libraries beside the main one: readers of files, and plugins for devices.
///
/// OpenVINO opens them itself when it needs them first. Here they are opened before it does. For one
/// thing, what they bring with them is then destroyed after the wait for the calls in progress when
/// the process ends; see `CallsInProgress`. For another, they get the flags of the main library.
///
/// Within functions OpenVINO makes static data all the time, in each call that compiles a network of
/// another kind. That is never destroyed: it would be before the wait, during the very call.
struct OpenVINOParts: ~Copyable, Sendable {
  private let folder: String
  private let flags: Int32
  private let known = Mutex<Set<String>>([])

  /// The parts that lie beside the library of a function, opened with `flags`.
  init(besideLibraryOf function: UnsafeRawPointer, flags: Int32) {
    var image = unsafe openvino_image()
    let file =
      unsafe openvino_find_image(function, &image) != 0
      ? unsafe image.path.map { unsafe String(cString: $0) } ?? "" : ""
    // A relative path may lead elsewhere by now.
    let end = file.hasPrefix("/") ? file.lastIndex(of: "/") : nil
    folder = end.map { String(file[..<$0]) } ?? ""
    self.flags = flags
  }

  /// Opens the readers and plugins of some names, `onnx_frontend` for example, those that are there.
  ///
  /// They stay open, as OpenVINO keeps them; one that cannot be opened is left to OpenVINO.
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

  /// Opens what a device needs by its name, `GPU.1` or `AUTO:GPU,CPU` for example.
  func open(plugin device: String) {
    // The one for batches is asked about each network.
    open(
      ["auto_batch_plugin"]
        + device.split { ":,".contains($0) }.map {
          $0.prefix { $0.isLetter }.lowercased() + "_plugin"
        })
  }

  /// Devices whose plugins Debian's package of the element leaves to another package.
  private static let separate = [
    "AUTO": "auto", "BATCH": "auto_batch", "GPU": "intel_gpu", "HETERO": "hetero",
    "MULTI": "auto", "NPU": "intel_npu",
  ]

  /// What of a device's name has a plugin in that package, and none here.
  func missingPlugins(of device: String) -> [String] {
    let libraries = libraries()
    return device.split { ":,".contains($0) }.map { String($0.prefix { $0.isLetter }) }.filter {
      guard let plugin = Self.separate[$0] else { return false }
      return !libraries.contains { $0.contains("openvino_\(plugin)_plugin.so") }
    }
  }

  /// The paths of OpenVINO's libraries.
  private func libraries() -> [String] {
    guard !folder.isEmpty, let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var paths: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe RuntimeFolder.name(of: entry)
      if name.hasPrefix("libopenvino") && name.contains(".so") { paths.append("\(folder)/\(name)") }
    }
    return paths
  }
}
