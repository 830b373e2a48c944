import COpenVINO
import Glibc

/// Ensures that one unwinder throws and catches OpenVINO's exceptions.
///
/// GStreamer loads libunwind, which has functions with the same names as libgcc. If another module
/// loaded the C++ library earlier, as in a Python program, the C++ library throws with libgcc. A
/// library that is loaded later finds libunwind's functions first. The first exception that
/// OpenVINO throws and catches internally would then end the process.
enum ExceptionUnwinder {
  private static let symbol = "_Unwind_Resume"

  /// Returns the flags for opening OpenVINO's libraries.
  ///
  /// `RTLD_DEEPBIND` makes their own dependencies take precedence over the names of the process. It
  /// is set only if those names lead to another unwinder than the C++ library's. If the C++ library
  /// itself throws with libunwind, the flag would separate them. A sanitized process refuses the
  /// flag.
  static func openingFlags() -> Int32 {
    let flags = RTLD_NOW | RTLD_LOCAL
    guard let thrower = unsafe openvino_import("libstdc++.so.6", symbol, nil),
      let found = unsafe dlsym(nil, symbol),
      let throwing = unsafe file(of: thrower), let finding = unsafe file(of: found),
      // Before its first use the symbol is unbound, and binds to the same function as in all
      // libraries.
      !throwing.contains("libstdc++"), throwing != finding
    else { return flags }
    return flags | RTLD_DEEPBIND
  }

  /// Returns the file that contains an address of the process.
  private static func file(of address: UnsafeRawPointer) -> String? {
    var image = unsafe openvino_image()
    guard unsafe openvino_find_image(address, &image) != 0, let path = unsafe image.path
    else { return nil }
    return unsafe String(cString: path)
  }
}
