import COpenVINO
import InputFiles
import Matting
import Processor

/// OpenVINO's core object, which reads networks and manages devices.
///
/// Safety: the object owns its `ov_core_t`. OpenVINO allows its use on any thread.
@safe final class Core: @unchecked Sendable {
  let library: OpenVINOLibrary
  /// OpenVINO's name for the precision of inferences, or nil for the device's default.
  let precision: String?
  private let handle: OpaquePointer

  /// Creates a core object.
  ///
  /// By default, processors that support bfloat16 use it, and all others use float32. With
  /// `VBGFILTER_PRECISION=f32` all processors produce the same mattes, for tests and comparisons.
  /// Other values of the variable are ignored.
  init(_ library: OpenVINOLibrary) throws(SegmentationError) {
    precision = Environment.value(of: "VBGFILTER_PRECISION") == "f32" ? "f32" : nil
    self.library = library
    unsafe handle = try library.make(
      orThrow: .runtimeUnavailable, "OpenVINO could not be initialized"
    ) { unsafe $0.pointee.ov_core_create($1) }
    // If a program truncated or overwrote a mapped file, this process would crash.
    try set("ENABLE_MMAP", "NO", orThrow: .runtimeUnavailable)
  }

  deinit { unsafe library.free { unsafe $0.pointee.ov_core_free(handle) } }

  /// Sets a property of a device, or of all devices, or throws an error of `kind`.
  private func set(
    _ key: String, _ value: String, of device: String = "", orThrow kind: SegmentationError.Kind
  ) throws(SegmentationError) {
    try unsafe library.call(
      orThrow: kind, "\(device.isEmpty ? "OpenVINO" : device) does not accept \(key)=\(value)"
    ) { unsafe openvino_core_set_property($0, handle, device, key, value) }
  }

  /// Returns a property of a device, or nil if OpenVINO does not have it.
  private func property(_ name: String, of device: String) -> String? {
    unsafe library.text { unsafe $0.pointee.ov_core_get_property(handle, device, name, $1) }
  }

  /// Reads the network of a model's files.
  ///
  /// For Robust Video Matting, `downsample_ratio` becomes the constant 1. As an input, it would
  /// keep the shapes inside the network open, and an inference would take longer.
  func read(
    _ parts: ModelParts, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) -> Network {
    let (path, format) = (parts.path, parts.format)
    let name = ModelFamily.RecurrentName.ratio
    func hasRatio(_ network: Network) -> Bool { network.inputs.contains { $0.name == name } }
    library.parts.open([format.reader])
    let network: Network
    if format == .onnx && parts.hasWeightsBeside {
      network = try read(parts.onnx(isCancelled: isCancelled), of: path)
    } else {
      // OpenVINO would block on a pipe, so check the files again first.
      try parts.checkFiles()
      network = try read(path)
    }
    if !hasRatio(network) { return network }
    // When OpenVINO reads from memory, it drops unused inputs. Recognise the
    // network before that, because its inputs identify its kind.
    _ = try ModelFamily.recognise(network)
    if format == .onnx {
      let constant = ONNXConstant.suffix(name: name, value: 1)
      let fixed = try read(parts.onnx(isCancelled: isCancelled) + constant, of: path)
      if !hasRatio(fixed) { return fixed }
    }
    throw SegmentationError(
      .modelUnknown,
      "\(path): the input \(name) cannot be made a constant. Use the .onnx file of Robust Video "
        + "Matting, or one that was exported without this input.")
  }

  /// Reads a network from its file.
  private func read(_ path: String) throws(SegmentationError) -> Network {
    var model: OpaquePointer?
    let status = unsafe library.call {
      unsafe $0.pointee.ov_core_read_model(handle, path, nil, &model)
    }
    return try unsafe network(status, model, path)
  }

  /// Reads a network from the bytes of its file, which need not stay in memory.
  private func read(_ bytes: [UInt8], of path: String) throws(SegmentationError) -> Network {
    var model: OpaquePointer?
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe library.call {
        unsafe $0.pointee.ov_core_read_model_from_memory_buffer(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, nil, &model)
      }
    }
    return try unsafe network(status, model, path)
  }

  private func network(
    _ status: ov_status_e, _ model: OpaquePointer?, _ path: String
  ) throws(SegmentationError) -> Network {
    if status == OK, let model = unsafe model {
      return try unsafe Network(owning: model, library: library, path: path)
    }
    let message = library.message(of: status)
    // MediaPipe's selfie networks, of 0.25 MB, end in a custom operation. The message may not name
    // it, because OpenVINO keeps only the last message of all threads.
    let file = (try? RegularFile.ofModel(path).bytes(upTo: 1 << 20)) ?? []
    let remedy =
      file.contains("Convolution2DTransposeBias".utf8)
      ? "This is MediaPipe's own file: use the one of vbgfilter, which is rewritten for OpenVINO."
      : SegmentationError.remedyForDamage
    throw SegmentationError(
      .modelUnreadable, "\(path) contains no network that OpenVINO can read: \(message) \(remedy)")
  }

  /// Returns the names of all properties that a device supports.
  ///
  /// Throws `.deviceRefused` if OpenVINO does not have the device. For a combined device such as
  /// `AUTO:GPU,CPU` only the first part is checked.
  func properties(of device: String) throws(SegmentationError) -> Set<Substring> {
    library.parts.open(plugin: device)
    let first = String(device.prefix { $0 != ":" })
    var status = OK
    let names = unsafe library.text(&status) {
      unsafe $0.pointee.ov_core_get_property(handle, first, "SUPPORTED_PROPERTIES", $1)
    }
    guard let names else { throw refusal(of: device, library.message(of: status)) }
    return Set(names.split(separator: " "))
  }

  /// The device properties to set, except for the number of threads.
  private var tuningProperties: [(String, String)] {
    let tuning = [
      ("PERFORMANCE_HINT", "LATENCY"),
      // With pinning, every process would use the same first cores.
      ("ENABLE_CPU_PINNING", "NO"),
    ]
    return precision.map { tuning + [("INFERENCE_PRECISION_HINT", $0)] } ?? tuning
  }

  /// Compiles a network, and returns whether the device has accepted its usual precision.
  ///
  /// If not, the network uses float32. For example, `ONEDNN_MAX_CPU_ISA` can disable instructions
  /// for bfloat16, which OpenVINO then selects nevertheless.
  func compile(
    _ network: Network, device: String, parallelism: Parallelism
  ) throws(SegmentationError) -> (network: CompiledNetwork, isUsual: Bool) {
    let known = try properties(of: device)
    let usual = tuningProperties + parallelism.properties
    var status = OK
    for properties in [usual, usual + [("INFERENCE_PRECISION_HINT", "f32")]] {
      let used = properties.filter { known.contains($0.0[...]) }.prefix(openvino_property_limit)
      var compiled: OpaquePointer?
      status = unsafe withProperties(used) { list in
        unsafe library.call {
          unsafe openvino_core_compile_model(
            $0, handle, network.handle, device, list, used.count, &compiled)
        }
      }
      if status == OK, let compiled = unsafe compiled {
        let network = unsafe CompiledNetwork(owning: compiled, library: library, restoredFrom: nil)
        return (network, properties.count == usual.count)
      }
    }
    throw refusal(of: device, "it does not accept \(network.path): \(library.message(of: status))")
  }

  /// Restores a compiled network that `CompiledNetwork.export` wrote for the same device.
  func restore(
    _ memory: MemoryBlock, of path: String, device: String, parallelism: Parallelism
  ) throws(SegmentationError) -> CompiledNetwork {
    // The C function takes no properties. Set them on this core, which is used for one network.
    let known = try properties(of: device)
    for (key, value) in tuningProperties + parallelism.properties where known.contains(key[...]) {
      try set(key, value, of: device, orThrow: .deviceRefused)
    }
    var compiled: OpaquePointer?
    let bytes = unsafe memory.bytes
    let status = unsafe library.call {
      unsafe $0.pointee.ov_core_import_model(
        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, device,
        &compiled)
    }
    guard status == OK, let compiled = unsafe compiled else {
      throw refusal(of: device, "it does not accept \(path): \(library.message(of: status))")
    }
    return unsafe CompiledNetwork(owning: compiled, library: library, restoredFrom: memory)
  }

  /// Enables OpenVINO's own cache of compiled networks, in a folder.
  func keepCompiled(in folder: String) { try? set("CACHE_DIR", folder, orThrow: .deviceRefused) }

  /// Returns the traits that distinguish a device from other devices of its kind.
  ///
  /// A network compiled for a device may not run on a device with other traits.
  func traits(of device: String) -> String {
    ["FULL_DEVICE_NAME", "OPTIMIZATION_CAPABILITIES"].map { property($0, of: device) ?? "" }
      .joined(separator: "; ")
  }

  /// Returns the error for a device that does not exist or fails.
  func refusal(of device: String, _ reason: String) -> SegmentationError {
    let offered = availableDevices().filter { $0 != device }
    let list = offered.isEmpty ? "none" : offered.joined(separator: ", ")
    let missing = library.parts.missingPlugins(of: device).joined(separator: ", ")
    let remedy =
      if !missing.isEmpty {
        "OpenVINO's plugin for \(missing) is not installed: on x86-64 install the package "
          + "gstreamer1.0-vbgfilter-gpu."
      } else {
        offered.isEmpty ? "Set model to another network." : "Set device to one of them."
      }
    let end = reason.hasSuffix(".") ? "" : "."
    return SegmentationError(
      .deviceRefused,
      "The device \(device) cannot be used: \(reason)\(end) Other available devices: \(list). "
        + remedy)
  }

  private func availableDevices() -> [String] {
    unsafe library.call(orAtExit: []) { api in
      var devices = unsafe ov_available_devices_t()
      guard unsafe api.pointee.ov_core_get_available_devices(handle, &devices) == OK
      else { return [] }
      defer { unsafe api.pointee.ov_available_devices_free(&devices) }
      return unsafe UnsafeBufferPointer(start: devices.devices, count: devices.size)
        .compactMap { unsafe $0.map { unsafe String(cString: $0) } }
    }
  }
}

/// Calls `body` with C copies of properties after `list`, as many as `openvino_core_compile_model`
/// reads.
///
/// The copies are valid only during the call.
private func withProperties<Result>(
  _ properties: ArraySlice<(String, String)>, after list: [openvino_property] = unsafe [],
  _ body: ([openvino_property]) -> Result
) -> Result {
  guard let (key, value) = properties.first else {
    let missing = unsafe openvino_property_limit - list.count
    return unsafe body(list + Array(repeating: openvino_property(), count: missing))
  }
  return unsafe key.withCString { key in
    unsafe value.withCString { value in
      let property = unsafe openvino_property(key: key, value: value)
      return unsafe withProperties(properties.dropFirst(), after: list + [property], body)
    }
  }
}
