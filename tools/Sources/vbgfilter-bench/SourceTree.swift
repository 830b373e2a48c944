#if canImport(Glibc)
  import Glibc
#endif

/// The source tree that this program was built from.
enum SourceTree {
  /// The folder that contains vbgfilter's Package.swift.
  static let root = folder(#filePath, up: 4)
  /// The folder for the files that the set-up fetches.
  static let dependencies = root + "/.deps"
  /// The path of the sample, a picture of a person.
  static let person = dependencies + "/sample/astronaut.png"
  /// The Python interpreter, by preference the system's, which has GStreamer's bindings.
  static let python =
    unsafe access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3"
  private static let helper = root + "/meson-helper"

  /// Returns the path of a script in `meson-helper`.
  static func script(_ name: String) -> String { helper + "/" + name }

  /// Sets environment variables so that this process and its children find OpenVINO, the networks,
  /// the plugin and Python packages.
  ///
  /// If the user has set VBGFILTER_RUNTIME_DIR, it stays. In search paths, the folders of this tree
  /// come first, so that its plugin is measured.
  static func prepareEnvironment() {
    unsafe setenv("VBGFILTER_RUNTIME_DIR", dependencies + "/stage/lib/vbgfilter", 0)
    prepend(dependencies + "/stage/lib/gstreamer-1.0", to: "GST_PLUGIN_PATH")
    for name in ["mediapipe", "numpy-1", "protobuf", "opencv-python-headless"].reversed() {
      prepend(dependencies + "/python/" + name, to: "PYTHONPATH")
    }
    unsafe setenv("PYTHONDONTWRITEBYTECODE", "1", 1)
  }

  private static func prepend(_ folder: String, to variable: String) {
    let old = unsafe getenv(variable).map { unsafe String(cString: $0) } ?? ""
    unsafe setenv(variable, old.isEmpty ? folder : folder + ":" + old, 1)
  }

  private static func folder(_ path: String, up levels: Int) -> String {
    path.split(separator: "/").dropLast(levels).reduce(into: "") { $0 += "/" + $1 }
  }
}
