import InferenceTypes

extension Core {
  /// Reads the network of a model's file.
  ///
  /// For Robust Video Matting, `downsample_ratio` becomes the constant 1. As an input, it would
  /// keep the shapes inside the network open, and an inference would take a third more time.
  func read(
    _ parts: ModelParts, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) -> Network {
    let file = parts.file
    let name = ModelFamily.RecurrentName.ratio
    func hasRatio(_ network: Network) -> Bool { network.inputs.contains { $0.name == name } }
    library.parts.open([file.format.reader])
    guard file.format == .onnx else {
      let network = try readWhole(parts, isCancelled)
      if hasRatio(network) { throw cannotFix(file) }
      return network
    }
    let bytes = try parts.onnx(isCancelled: isCancelled)
    let inputs = ONNXInputs.names(in: bytes)
    if !inputs.contains(name) || !inputs.isSubset(of: ModelFamily.RecurrentName.inputs) {
      // When OpenVINO reads from memory, it drops unused inputs. They identify other kinds of
      // networks, which are therefore read from the file.
      _ = try RegularFile(file.path)
      let network = try parts.hasWeightsBeside ? read(bytes, of: file.path) : read(file.path)
      if !hasRatio(network) { return network }
      // OpenVINO removes unused inputs together with this one, so check them before.
      _ = try ModelFamily.recognise(network)
    }
    let fixed = try read(bytes + ONNXConstant.suffix(name: name, value: 1), of: file.path)
    if hasRatio(fixed) { throw cannotFix(file) }
    return fixed
  }

  /// Reads a network that is not in the ONNX format.
  private func readWhole(
    _ parts: ModelParts, _ isCancelled: () -> Bool
  ) throws(SegmentationError) -> Network {
    let path = parts.file.path
    if parts.file.format == .tflite {
      // OpenVINO reads this format only from a path, so check the file again first.
      _ = try RegularFile(path)
      return try read(path)
    }
    let weights = try parts.readWeights(isCancelled: isCancelled).first?.value ?? []
    return try read(parts.file.contents(isCancelled: isCancelled), weights: weights, of: path)
  }

  private func cannotFix(_ file: ModelFile) -> SegmentationError {
    SegmentationError(
      .modelUnknown,
      "\(file.path): the input \(ModelFamily.RecurrentName.ratio) cannot be made a constant. Use "
        + "the .onnx file of Robust Video Matting, or one that was exported without this input.")
  }
}
