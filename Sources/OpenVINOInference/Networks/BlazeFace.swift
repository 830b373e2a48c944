import InferenceTypes

/// BlazeFace for short range on OpenVINO, read as MediaPipe publishes it.
///
/// Safety: the tensors are the request's own; the pointers that are given out live as long as this.
package final class BlazeFace: FaceNetwork {
  /// What the file is called among the installed networks.
  package static let file = "face_detection_short_range.tflite"

  let use: CompiledNetwork
  let request: InferenceRequest
  private let input: FloatTensor
  private let regressors: FloatTensor
  private let scores: FloatTensor
  private let path: String

  private static let compiled = SharedObjects<CompiledNetworkKey, CompiledNetwork>()

  private enum Shape {
    static let input = [1, FaceAnchors.inputSize, FaceAnchors.inputSize, 3]
    static let regressors = [1, FaceAnchors.count, FaceAnchors.regressors]
    static let scores = [1, FaceAnchors.count, 1]
  }

  /// Reads the network of a file, or shares it with others of this process.
  package init(path: String, device: String, threads: Int) throws(SegmentationError) {
    let file = try ModelFile(path)
    guard let identity = try ModelParts(file).identity else {
      throw SegmentationError(.modelUnreadable, "\(path) was changed while it was read.")
    }
    let core = try Core(OpenVINOLibrary.shared())
    let parallelism = Parallelism(device: device, wanted: threads, modelSize: identity.size)
    let key = CompiledNetworkKey(identity: identity, device: device, parallelism: parallelism)
    use = try Self.compiled.object(for: key, usable: { !$0.isBroken }) {
      () throws(SegmentationError) in
      let network = try core.read(file)
      try Self.check(network)
      return try core.compile(network, device: device, parallelism: parallelism)
    }
    self.path = path
    request = try use.makeRequest(path)
    input = try request.inputTensor(shape: Shape.input)
    // The order in which MediaPipe's file has them.
    regressors = try request.outputTensor(0, shape: Shape.regressors)
    scores = try request.outputTensor(1, shape: Shape.scores)
    use.countUsers(1)
    input.fill(0)
    try request.rehearse(into: scores)
  }

  deinit {
    use.countUsers(-1)
  }

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe input.data }

  package func infer() throws(SegmentationError) -> RawFaces {
    regressors.fill(.nan)
    try request.run(into: scores)
    guard regressors.isFinite else {
      use.setBroken()
      throw SegmentationError(
        .inferenceFailed, "The inference with \(path) failed: it left boxes that are no numbers.")
    }
    return unsafe RawFaces(regressors: regressors.data, scores: scores.data)
  }

  private static func check(_ network: Network) throws(SegmentationError) {
    let tensors = network.inputs + network.outputs
    guard network.inputs.count == 1, tensors.allSatisfy({ $0.type == .float32 }),
      tensors.map(\.fixedShape) == [Shape.input, Shape.regressors, Shape.scores]
    else {
      throw SegmentationError(
        .modelUnknown,
        "\(network.path) is not BlazeFace for short range, f32 of 1x128x128x3 to 1x896x16 and "
          + "1x896x1: it has [\(tensors.map(\.description).joined(separator: ", "))].")
    }
  }
}
