import COpenVINO
import Glibc
import InferenceTypes
import Synchronization

/// OpenVINO's C library, opened at the first load of a model and kept until the process ends.
///
/// Not linked, so that GStreamer's scan of the plugin opens nothing and an element without OpenVINO
/// can say what is missing. Never closed, because OpenVINO leaves threads behind.
///
/// Safety: `functions` is allocated once, written before this object is shared, only read
/// afterwards and never freed; OpenVINO's functions may be called on any thread.
@safe final class OpenVINOLibrary: @unchecked Sendable {
  private let functions: UnsafePointer<openvino_functions>
  /// What belongs to it.
  let parts: OpenVINOParts

  private static let opened = Mutex<OpenVINOLibrary?>(nil)
  /// Once for all attempts to open a library: that is a call as well.
  private static let firstFinish: Void = CallsInProgress.register()

  /// The library of this process; opened by the first call that succeeds.
  static func shared() throws(SegmentationError) -> OpenVINOLibrary {
    try opened.withLock { (library) throws(SegmentationError) -> OpenVINOLibrary in
      if let library { return library }
      let new = try OpenVINOLibrary(candidates: RuntimeFolder.candidates())
      library = new
      return new
    }
  }

  /// Opens the library from the first folder that has a usable one, else the system's.
  init(candidates: [String], systemName: String = "libopenvino_c.so") throws(SegmentationError) {
    var tried =
      candidates.isEmpty ? [RuntimeFolder.reasonForNone(override: RuntimeFolder.override())] : []
    let flags = ExceptionUnwinder.openingFlags()
    Self.firstFinish
    for folder in candidates {
      let libraries = RuntimeFolder.libraries(in: folder)
      if libraries.isEmpty { tried.append("there is no libopenvino_c.so.* in \(folder)") }
      for path in libraries {
        if let functions = unsafe Self.open(path, flags, &tried) {
          unsafe self.functions = functions
          parts = unsafe Self.parts(functions, flags)
          return
        }
      }
    }
    // A name alone is looked for as the dynamic linker looks for any library: in LD_LIBRARY_PATH and in
    // the system's folders.
    if let functions = unsafe Self.open(systemName, flags, &tried) {
      unsafe self.functions = functions
      parts = unsafe Self.parts(functions, flags)
      return
    }
    throw SegmentationError(
      .runtimeUnavailable,
      "OpenVINO cannot be used: \(tried.joined(separator: "; ")). To have it, "
        + "\(SegmentationError.reinstallation), install OpenVINO, "
        + "or set \(RuntimeFolder.variable) to the folder of its libraries.")
  }

  /// Opens one library and looks up its functions; says in `tried` why not.
  private static func open(
    _ path: String, _ flags: Int32, _ tried: inout [String]
  ) -> UnsafePointer<openvino_functions>? {
    let opened = unsafe CallsInProgress.make(orAtExit: nil) { unsafe dlopen(path, flags) }
    guard let library = unsafe opened else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
      tried.append("\(path) does not load (\(reason))")
      return nil
    }
    CallsInProgress.finishBeforeExit()
    let functions = UnsafeMutablePointer<openvino_functions>.allocate(capacity: 1)
    if let missing = unsafe openvino_functions_load(library, functions) {
      unsafe functions.deallocate()
      unsafe tried.append("\(path) is of another version (it has no \(String(cString: missing)))")
      return nil
    }
    guard unsafe numbersTypesAsTheHeadersDo(functions) else {
      tried.append(
        "\(path) is \(unsafe version(functions)), which numbers element types differently")
      unsafe functions.deallocate()
      return nil
    }
    return unsafe UnsafePointer(functions)
  }

  /// What belongs to a library; what is needed for every network of the cache is open then.
  private static func parts(
    _ functions: UnsafePointer<openvino_functions>, _ flags: Int32
  ) -> OpenVINOParts {
    let parts = unsafe OpenVINOParts(
      besideLibraryOf: unsafeBitCast(
        functions.pointee.ov_core_create, to: UnsafeRawPointer.self), flags: flags)
    parts.open(["ir_frontend"])
    return parts
  }

  /// Whether a tensor of `F32` has four bytes an element, and one of `F16` two.
  ///
  /// `ov_element_type_e` was renumbered between releases: with another one's library a float tensor
  /// would be made of something else, and be too small.
  private static func numbersTypesAsTheHeadersDo(
    _ functions: UnsafePointer<openvino_functions>
  ) -> Bool {
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

  private static func version(_ functions: UnsafePointer<openvino_functions>) -> String {
    unsafe buildNumber(functions).map { "OpenVINO " + $0 } ?? "an OpenVINO of unknown version"
  }

  private static func buildNumber(_ functions: UnsafePointer<openvino_functions>) -> String? {
    var version = unsafe ov_version_t()
    guard unsafe functions.pointee.ov_get_openvino_version(&version) == OK else { return nil }
    defer { unsafe functions.pointee.ov_version_free(&version) }
    return unsafe version.buildNumber.map { unsafe String(cString: $0) }
  }

  /// Which build of which release it is, `2026.4.1-22174-...` for example.
  var buildNumber: String {
    unsafe call(orAtExit: nil) { unsafe Self.buildNumber($0) } ?? "unknown"
  }

  /// The release alone, `2026.4.1`.
  var release: Substring { buildNumber.prefix { $0.isNumber || $0 == "." } }
}

// MARK: - Calls

extension OpenVINOLibrary {
  /// Calls OpenVINO, on any thread; gives `refusal` instead when the process is ending.
  func call<Result>(
    orAtExit refusal: Result, _ body: (UnsafePointer<openvino_functions>) -> Result
  ) -> Result {
    CallsInProgress.make(orAtExit: refusal) { unsafe body(functions) }
  }

  /// Calls a function that says how it went; it went wrong when the process is ending.
  func call(_ body: (UnsafePointer<openvino_functions>) -> ov_status_e) -> ov_status_e {
    unsafe call(orAtExit: UNKNOW_EXCEPTION, body)
  }

  /// Gives something back to OpenVINO, unless the process is ending anyway.
  func free(_ body: (UnsafePointer<openvino_functions>) -> Void) {
    unsafe call(orAtExit: (), body)
  }

  /// A text that OpenVINO made for the caller, copied and freed.
  func text(owned text: UnsafePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe free { unsafe $0.pointee.ov_free(text) } }
    return unsafe String(cString: text)
  }
}

// MARK: - Errors

extension OpenVINOLibrary {
  /// Turns a status that is not `OK` into an error; the only place where that happens.
  ///
  /// Call it right after the function, on the same thread: OpenVINO keeps one last message.
  func check(
    _ status: ov_status_e, _ kind: SegmentationError.Kind, _ what: @autoclosure () -> String
  ) throws(SegmentationError) {
    if status == OK { return }
    throw SegmentationError(kind, "\(what()): \(message(of: status))")
  }

  /// OpenVINO's own words for a failure, on one line.
  ///
  /// They come as lines of "Exception from file:line:" and "Check '...' failed at file:line:"
  /// around one or two that tell something.
  func message(of status: ov_status_e) -> String {
    if CallsInProgress.areRefused { return "the process is ending" }
    let last =
      unsafe text(
        owned: call(orAtExit: nil) { unsafe $0.pointee.ov_get_last_err_msg() }) ?? ""
    let lines = last.split(separator: "\n").filter { line in
      !line.hasPrefix("Exception from ") && line.contains { $0 != " " }
    }
    if lines.isEmpty {
      let words = unsafe call(orAtExit: nil) { unsafe $0.pointee.ov_get_error_info(status) }
      return unsafe words.map { unsafe String(cString: $0) } ?? "status \(status.rawValue)"
    }
    return String(lines.joined(separator: " ").prefix(600))
  }
}
