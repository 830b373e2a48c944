import Matting

/// A network on OpenVINO with known tensors: one input, and only f32 with fixed shapes.
///
/// Safety: the request owns the tensors, which are valid for as long as this object lives.
final class FixedNetwork {
  /// The name and the tensors of a specific network.
  struct Kind {
    /// The name in errors.
    let name: String
    let input: [Int]
    /// The shapes of the outputs, in the order of the file.
    let outputs: [[Int]]
    /// Whether the network in the file also accepts other sizes, and is reshaped to `input`.
    var takesOtherSizes = false
    /// The compiled networks of this kind that are in use.
    let compiled = SharedObjects<CompiledNetworkKey, CompiledNetwork>()
  }

  let use: CompiledNetwork
  let request: InferenceRequest
  let input: FloatTensor
  /// The outputs, in the order of the file.
  let outputs: [FloatTensor]
  private let path: String

  /// Loads the network of a file, or shares it if this process has already loaded it.
  init(_ kind: Kind, path: String, device: String, threads: Int) throws(SegmentationError) {
    let parts = try ModelParts(path)
    guard let identity = parts.identity else { throw parts.changeError }
    let core = try Core(OpenVINOLibrary.shared())
    let parallelism = Parallelism(device: device, wanted: threads, modelSize: identity.size)
    let key = CompiledNetworkKey(
      identity: identity, device: device, parallelism: parallelism, precision: core.precision)
    use = try kind.compiled.object(for: key, usable: { !$0.isBroken }) {
      () throws(SegmentationError) in
      let network = try core.read(parts)
      // If this fails, `check` throws.
      if kind.takesOtherSizes { try? network.reshape([(index: 0, shape: kind.input)]) }
      try Self.check(network, kind)
      return try core.compile(network, device: device, parallelism: parallelism).network
    }
    self.path = path
    let request = try InferenceRequest(of: use, path: path)
    self.request = request
    input = try request.inputTensor(shape: kind.input)
    outputs = try kind.outputs.enumerated().map { (index, shape) throws(SegmentationError) in
      try request.outputTensor(index, shape: shape)
    }
    use.countUsers(1)
    input.fill(0)
    try request.rehearse(into: outputs[0])
  }

  deinit { use.countUsers(-1) }

  /// Runs the network on the content of its input.
  ///
  /// Throws if the inference fails or produces values that are not finite.
  func infer() throws(SegmentationError) {
    for i in 1..<outputs.count { outputs[i].fill(.nan) }
    try request.run(into: outputs[0])
    // The request has already checked the first output.
    for i in 1..<outputs.count where !outputs[i].isFinite {
      use.setBroken()
      throw SegmentationError(
        .inferenceFailed,
        "The inference with \(path) failed: it produced values that are not finite.")
    }
  }

  private static func check(_ network: Network, _ kind: Kind) throws(SegmentationError) {
    let tensors = network.inputs + network.outputs
    guard network.inputs.count == 1, tensors.allSatisfy(\.isFloat32),
      tensors.map(\.fixedShape) == [kind.input] + kind.outputs
    else {
      func text(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: "x") }
      throw SegmentationError(
        .modelUnknown,
        "\(network.path) is not \(kind.name), f32 of \(text(kind.input)) to "
          + "\(kind.outputs.map(text).joined(separator: " and ")): it has "
          + "[\(tensors.map(\.description).joined(separator: ", "))].")
    }
  }
}
