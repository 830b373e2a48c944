import COpenVINO
import Glibc

/// Sees to it that OpenVINO's exceptions are thrown and caught by one and the same unwinder.
///
/// GStreamer brings libunwind into the process, which has functions of the same names as libgcc's.
/// Where the C++ library was loaded before it, by another module of a Python program for example, it
/// throws by libgcc, while a library that comes later finds libunwind's names first: the first
/// exception that OpenVINO throws and catches within itself would end the process.
enum ExceptionUnwinder {
  private static let symbol = "_Unwind_Resume"

  /// The flags that OpenVINO's libraries are to be opened with.
  ///
  /// Their own dependencies come before the names of the process where those lead elsewhere than
  /// the C++ library's. Not always: where the C++ library itself throws by libunwind, that would
  /// part them, and a sanitized process refuses the flag.
  static func openingFlags() -> Int32 {
    let flags = RTLD_NOW | RTLD_LOCAL
    guard let thrower = unsafe openvino_import("libstdc++.so.6", symbol, nil),
      let found = unsafe dlsym(nil, symbol),
      let throwing = unsafe file(of: thrower), let finding = unsafe file(of: found),
      // Not bound before its first use: then it finds what all libraries find.
      !throwing.contains("libstdc++"), throwing != finding
    else { return flags }
    return flags | RTLD_DEEPBIND
  }

  /// The file that an address of the process belongs to.
  private static func file(of address: UnsafeRawPointer) -> String? {
    var image = unsafe openvino_image()
    guard unsafe openvino_find_image(address, &image) != 0, let path = unsafe image.path
    else { return nil }
    return unsafe String(cString: path)
  }
}
