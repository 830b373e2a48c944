#if canImport(Glibc)
  import Glibc
#endif

/// The source tree that this program was built from.
enum SourceTree {
  /// The folder of vbgfilter's Package.swift.
  static let root = folder(#filePath, up: 4)
  /// The folder that the set-up fetched its files to.
  static let dependencies = root + "/.deps"
  /// The picture of a person.
  static let person = dependencies + "/sample/astronaut.png"
  /// A Python with GStreamer's bindings: the system's, if there is one.
  static let python =
    unsafe access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3"
  private static let helper = root + "/meson-helper"

  /// A script of `meson-helper`.
  static func script(_ name: String) -> String { helper + "/" + name }

  /// Sets the variables by which this process and its children find OpenVINO, the networks and the
  /// plugin.
  ///
  /// Values of the user's stay. The plugin's folder comes first, so that this tree's plugin is measured.
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
