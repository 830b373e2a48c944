import COpenVINO
import Glibc
import Matting
import Synchronization

/// OpenVINO's functions in an open library.
typealias OpenVINOFunctions = UnsafePointer<openvino_functions>

/// OpenVINO's C library, which is opened when the first model is loaded.
///
/// - The plugin does not link the library, so GStreamer's scan of the plugin does not open it. If
///   OpenVINO is missing, the element can report that.
/// - The library is never closed, because OpenVINO's threads continue to run.
///
/// Safety: `functions` is allocated and written before this object is shared. Afterwards it is
/// only read, and never freed. OpenVINO's functions may be called on any thread.
@safe final class OpenVINOLibrary: @unchecked Sendable {
  private let functions: OpenVINOFunctions
  /// The other libraries of OpenVINO.
  let parts: OpenVINOParts

  private static let opened = Mutex<OpenVINOLibrary?>(nil)
  /// Registers the exit handler once, before the first library is opened.
  private static let firstFinish: Void = CallsInProgress.register()

  /// Returns the library of this process, which the first successful call opens.
  static func shared() throws(SegmentationError) -> OpenVINOLibrary {
    try opened.withLock { (library) throws(SegmentationError) -> OpenVINOLibrary in
      if let library { return library }
      let new = try OpenVINOLibrary(candidates: RuntimeFolder.candidates())
      library = new
      return new
    }
  }

  /// Opens the library in the first folder with a usable one, or else the system's library.
  init(candidates: [String], systemName: String = "libopenvino_c.so") throws(SegmentationError) {
    var tried = candidates.isEmpty ? [RuntimeFolder.reasonForNone()] : []
    let flags = Self.openingFlags()
    Self.firstFinish
    var paths: [String] = []
    for folder in candidates {
      let libraries = RuntimeFolder.libraries(in: folder)
      if libraries.isEmpty { tried.append("there is no libopenvino_c.so.* in \(folder)") }
      paths += libraries
    }
    // The dynamic linker searches for a bare name in LD_LIBRARY_PATH and the system's folders.
    for path in paths + [systemName] {
      guard let functions = unsafe Self.open(path, flags, &tried) else { continue }
      unsafe self.functions = functions
      parts = unsafe OpenVINOParts(
        besideLibraryOf: unsafeBitCast(
          functions.pointee.ov_core_create, to: UnsafeRawPointer.self), flags: flags)
      // Every cached network needs this reader.
      parts.open(["ir_frontend"])
      return
    }
    throw SegmentationError(
      .runtimeUnavailable,
      "OpenVINO cannot be used: \(tried.joined(separator: "; ")). To fix this, "
        + "\(SegmentationError.reinstallation), install OpenVINO, "
        + "or set \(RuntimeFolder.variable) to the folder of its libraries.")
  }

  /// Returns the flags for opening OpenVINO's libraries.
  ///
  /// The same unwinder must throw and catch their exceptions. GStreamer loads libunwind, which has
  /// functions with the same names as libgcc. If another module loaded the C++ library earlier, as
  /// in a Python program, the C++ library throws with libgcc. Libraries that are loaded later use
  /// libunwind. The first exception that OpenVINO throws and catches internally would then end the
  /// process.
  ///
  /// `RTLD_DEEPBIND` lets a library find symbols in its own dependencies before symbols of the
  /// process. The flag is set only if the process has another unwinder than the C++ library:
  /// - If the C++ library itself throws with libunwind, the flag would separate the two.
  /// - A process with a sanitizer rejects the flag.
  private static func openingFlags() -> Int32 {
    let (flags, symbol) = (RTLD_NOW | RTLD_LOCAL, "_Unwind_Resume")
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

  /// Opens one library and looks up its functions.
  ///
  /// On failure, returns nil and adds the reason to `tried`.
  private static func open(
    _ path: String, _ flags: Int32, _ tried: inout [String]
  ) -> OpenVINOFunctions? {
    let opened = unsafe CallsInProgress.make(orAtExit: nil) { unsafe dlopen(path, flags) }
    guard let library = unsafe opened else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
      tried.append("\(path) cannot be loaded (\(reason))")
      return nil
    }
    CallsInProgress.finishBeforeExit()
    let functions = UnsafeMutablePointer<openvino_functions>.allocate(capacity: 1)
    if let missing = unsafe openvino_functions_load(library, functions) {
      unsafe functions.deallocate()
      unsafe tried.append("\(path) has another version (it has no \(String(cString: missing)))")
      return nil
    }
    guard unsafe numbersTypesAsTheHeadersDo(functions) else {
      let version =
        unsafe buildNumber(functions).map { "OpenVINO " + $0 } ?? "an OpenVINO of unknown version"
      tried.append("\(path) is \(version), which numbers element types differently")
      unsafe functions.deallocate()
      return nil
    }
    return unsafe UnsafePointer(functions)
  }

  /// Returns whether elements of `F32` have four bytes, and elements of `F16` two.
  ///
  /// OpenVINO releases number `ov_element_type_e` differently. With the library of another release,
  /// a float tensor could have another type and be too small.
  private static func numbersTypesAsTheHeadersDo(_ functions: OpenVINOFunctions) -> Bool {
    func bytes(_ type: ov_element_type_e) -> Int {
      var dimension: Int64 = 1
      var tensor: OpaquePointer?
      let made = unsafe withUnsafeMutablePointer(to: &dimension) {
        unsafe functions.pointee.ov_tensor_create(type, ov_shape_t(rank: 1, dims: $0), &tensor)
      }
      guard made == OK else { return 0 }
      defer { unsafe functions.pointee.ov_tensor_free(tensor) }
      var size = 0
      return unsafe functions.pointee.ov_tensor_get_byte_size(tensor, &size) == OK ? size : 0
    }
    return bytes(F32) == 4 && bytes(F16) == 2
  }

  private static func buildNumber(_ functions: OpenVINOFunctions) -> String? {
    var version = unsafe ov_version_t()
    guard unsafe functions.pointee.ov_get_openvino_version(&version) == OK else { return nil }
    defer { unsafe functions.pointee.ov_version_free(&version) }
    return unsafe version.buildNumber.map { unsafe String(cString: $0) }
  }

  /// The release and build, for example `2026.4.1-22174-...`.
  var buildNumber: String {
    unsafe call(orAtExit: nil) { unsafe Self.buildNumber($0) } ?? "unknown"
  }

  /// The release alone, for example `2026.4.1`.
  var release: Substring { buildNumber.prefix { $0.isNumber || $0 == "." } }

  // MARK: - Calls

  /// Calls OpenVINO on any thread, or returns `refusal` if the process is ending.
  func call<Result>(orAtExit refusal: Result, _ body: (OpenVINOFunctions) -> Result) -> Result {
    CallsInProgress.make(orAtExit: refusal) { unsafe body(functions) }
  }

  /// Calls a function that returns a status, or returns an error if the process is ending.
  func call(_ body: (OpenVINOFunctions) -> ov_status_e) -> ov_status_e {
    unsafe call(orAtExit: UNKNOW_EXCEPTION, body)
  }

  /// Calls a function, and throws an error with the problem `what` if its status is not `OK`.
  func call(
    orThrow kind: SegmentationError.Kind, _ what: @autoclosure () -> String,
    _ body: (OpenVINOFunctions) -> ov_status_e
  ) throws(SegmentationError) {
    let status = unsafe call(body)
    if status != OK { throw SegmentationError(kind, "\(what()): \(message(of: status))") }
  }

  /// Returns the object that a function creates, or throws like `call`.
  func make(
    orThrow kind: SegmentationError.Kind, _ what: @autoclosure () -> String,
    _ body: (OpenVINOFunctions, UnsafeMutablePointer<OpaquePointer?>) -> ov_status_e
  ) throws(SegmentationError) -> OpaquePointer {
    var object: OpaquePointer?
    try unsafe call(orThrow: kind, what()) { unsafe body($0, &object) }
    guard let object = unsafe object else { throw SegmentationError(kind, "\(what()).") }
    return unsafe object
  }

  /// Returns the text that a function allocates, and frees the original.
  ///
  /// Returns nil if the function fails. `status` becomes the status of the function.
  func text(
    _ status: UnsafeMutablePointer<ov_status_e>? = nil,
    _ body: (OpenVINOFunctions, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> ov_status_e
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    let result = unsafe call { unsafe body($0, &text) }
    unsafe status?.pointee = result
    guard result == OK, let text = unsafe text else { return nil }
    defer { unsafe free { unsafe $0.pointee.ov_free(text) } }
    return unsafe String(cString: text)
  }

  /// Frees an object of OpenVINO, unless the process is ending.
  func free(_ body: (OpenVINOFunctions) -> Void) { unsafe call(orAtExit: (), body) }

  // MARK: - Errors

  /// Returns OpenVINO's message for a failure, on one line.
  ///
  /// Call this right after the failed function, because OpenVINO keeps only the last message of all
  /// threads. It surrounds one or two useful lines with "Exception from file:line:" and "Check
  /// '...' failed at file:line:".
  func message(of status: ov_status_e) -> String {
    if CallsInProgress.areRefused { return "the process is ending" }
    let last = unsafe text { api, text in
      unsafe text.pointee = UnsafeMutablePointer(mutating: api.pointee.ov_get_last_err_msg())
      return OK
    }
    let lines = (last ?? "").split(separator: "\n").filter { line in
      !line.hasPrefix("Exception from ") && line.contains { $0 != " " }
    }
    if lines.isEmpty {
      let words = unsafe call(orAtExit: nil) { unsafe $0.pointee.ov_get_error_info(status) }
      return unsafe words.map { unsafe String(cString: $0) } ?? "status \(status.rawValue)"
    }
    return String(lines.joined(separator: " ").prefix(600))
  }
}
