import COpenVINO
import Glibc
import VirtualBackground

/// OpenVINO's entry: reads networks and knows the devices.
///
/// Safety: owns its `ov_core_t`; OpenVINO lets it be used on any thread.
@safe final class Core: @unchecked Sendable {
  let library: OpenVINOLibrary
  private let handle: OpaquePointer

  init(_ library: OpenVINOLibrary) throws(SegmentationError) {
    var handle: OpaquePointer?
    let status = unsafe library.functions.pointee.ov_core_create(&handle)
    try library.check(status, .runtimeUnavailable, "OpenVINO does not start")
    guard let handle = unsafe handle else {
      throw SegmentationError(.runtimeUnavailable, "OpenVINO does not start: it gave no core.")
    }
    self.library = library
    unsafe self.handle = handle
    // A mapped file that is cut short or written over while it is in use would end the process.
    let unmapped = unsafe openvino_core_set_property(library.functions, handle, "ENABLE_MMAP", "NO")
    try library.check(unmapped, .runtimeUnavailable, "OpenVINO does not take ENABLE_MMAP")
  }

  deinit {
    unsafe library.functions.pointee.ov_core_free(handle)
  }

  /// Reads a network from its file.
  func read(_ path: String) throws(SegmentationError) -> Network {
    var model: OpaquePointer?
    let status = unsafe library.functions.pointee.ov_core_read_model(handle, path, nil, &model)
    return try unsafe network(status, model, path)
  }

  /// Reads a network of a file from its bytes, which are not needed afterwards.
  func read(_ bytes: [UInt8], of path: String) throws(SegmentationError) -> Network {
    var model: OpaquePointer?
    let status = unsafe bytes.withUnsafeBytes {
      unsafe library.functions.pointee.ov_core_read_model_from_memory_buffer(
        handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, nil, &model)
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
    // MediaPipe's selfie networks end in an operation of its own.
    let remedy =
      message.contains("Convolution2DTransposeBias")
      ? "This is MediaPipe's own file; ./meson-helper/bootstrap rewrites it for OpenVINO."
      : "The file may be broken or cut short; ./meson-helper/bootstrap fetches the networks anew."
    throw SegmentationError(
      .modelUnreadable, "\(path) holds no network that OpenVINO can read: \(message) \(remedy)")
  }

  /// The properties that a device knows, those to read and those to set.
  ///
  /// Throws `.deviceRefused` when OpenVINO has no such device. Of a device that stands for others,
  /// like `AUTO:GPU,CPU`, only the first part is looked at.
  func properties(of device: String) throws(SegmentationError) -> Set<Substring> {
    var value: UnsafeMutablePointer<CChar>?
    let status = unsafe library.functions.pointee.ov_core_get_property(
      handle, String(device.prefix { $0 != ":" }), "SUPPORTED_PROPERTIES", &value)
    guard status == OK, let names = unsafe library.text(owned: value) else {
      throw refusal(of: device, library.message(of: status))
    }
    return Set(names.split(separator: " "))
  }

  /// Makes a network ready to run, for one inference at a time as fast as it goes.
  ///
  /// `threads` is for devices that let it be chosen; 0 leaves it to them.
  func compile(
    _ network: Network, device: String, threads: Int
  ) throws(SegmentationError) -> CompiledNetwork {
    let known = try properties(of: device)
    var wanted = [
      ("PERFORMANCE_HINT", "LATENCY"),
      ("NUM_STREAMS", "1"),
      // Pinned, every process takes the same first cores: two elements would share one core.
      ("ENABLE_CPU_PINNING", "NO"),
    ]
    if threads > 0 { wanted.append(("INFERENCE_NUM_THREADS", String(threads))) }
    let used = wanted.filter { known.contains($0.0[...]) }

    var compiled: OpaquePointer?
    let status = unsafe withProperties(used) { properties, count in
      unsafe openvino_core_compile_model(
        library.functions, handle, network.handle, device, properties, count, &compiled)
    }
    guard status == OK, let compiled = unsafe compiled else {
      throw refusal(of: device, "it does not take \(network.path): \(library.message(of: status))")
    }
    return unsafe CompiledNetwork(owning: compiled, library: library, path: network.path)
  }

  /// The error for a device that does not exist or does not want.
  func refusal(of device: String, _ reason: String) -> SegmentationError {
    let offered = availableDevices()
    let list = offered.isEmpty ? "no device at all" : offered.joined(separator: ", ")
    return SegmentationError(
      .deviceRefused,
      "The device \(device) cannot be used: \(reason) Here OpenVINO offers \(list).")
  }

  private func availableDevices() -> [String] {
    var devices = unsafe ov_available_devices_t()
    guard unsafe library.functions.pointee.ov_core_get_available_devices(handle, &devices) == OK
    else { return [] }
    defer { unsafe library.functions.pointee.ov_available_devices_free(&devices) }
    return unsafe UnsafeBufferPointer(start: devices.devices, count: devices.size)
      .compactMap { unsafe $0.map { unsafe String(cString: $0) } }
  }
}

/// Lends C copies of properties to `body`, as many as `openvino_core_compile_model` reads.
private func withProperties<Result>(
  _ properties: [(key: String, value: String)],
  _ body: (UnsafePointer<openvino_property>, Int) -> Result
) -> Result {
  var texts: [UnsafeMutablePointer<CChar>?] = unsafe []
  defer { unsafe texts.forEach { unsafe free($0) } }
  var list = unsafe [openvino_property](
    repeating: openvino_property(), count: openvino_property_limit)
  for (index, property) in properties.prefix(openvino_property_limit).enumerated() {
    let key = unsafe strdup(property.key)
    let value = unsafe strdup(property.value)
    unsafe texts += [key, value]
    unsafe list[index] = openvino_property(key: key, value: value)
  }
  return unsafe body(list, min(properties.count, openvino_property_limit))
}
