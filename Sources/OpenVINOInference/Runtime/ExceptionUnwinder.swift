import COpenVINO
import Glibc

/// Ensures that the same unwinder throws and catches OpenVINO's exceptions.
///
/// GStreamer loads libunwind, which has functions with the same names as libgcc. If another module
/// loaded the C++ library earlier, as in a Python program, the C++ library throws with libgcc.
/// Libraries that are loaded later use libunwind. The first exception that OpenVINO throws and
/// catches internally would then end the process.
enum ExceptionUnwinder {
  private static let symbol = "_Unwind_Resume"

  /// Returns the flags for opening OpenVINO's libraries.
  ///
  /// `RTLD_DEEPBIND` lets a library find symbols in its own dependencies before symbols of the
  /// process. The flag is set only if the process has another unwinder than the C++ library:
  /// - If the C++ library itself throws with libunwind, the flag would separate the two.
  /// - A process with a sanitizer rejects the flag.
  static func openingFlags() -> Int32 {
    let flags = RTLD_NOW | RTLD_LOCAL
    guard let thrower = unsafe openvino_import("libstdc++.so.6", symbol, nil),
      let found = unsafe dlsym(nil, symbol),
      let throwing = unsafe ImageFile.name(of: thrower),
      let finding = unsafe ImageFile.name(of: found),
      // Before its first use, the symbol in the C++ library is not bound. It will bind to the same
      // function as in all other libraries.
      !throwing.contains("libstdc++"), throwing != finding
    else { return flags }
    return flags | RTLD_DEEPBIND
  }
}
