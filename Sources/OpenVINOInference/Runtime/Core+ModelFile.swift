import InferenceTypes

extension Core {
  /// Reads the network of a model's file.
  ///
  /// That of Robust Video Matting gets its `downsample_ratio` made the constant 1: as an input it
  /// would keep the shapes inside the network open, whatever the outer ones are, and cost a third of
  /// the time more.
  func read(_ file: ModelFile) throws(SegmentationError) -> Network {
    let name = ModelFamily.RecurrentName.ratio
    func hasRatio(_ network: Network) -> Bool { network.inputs.contains { $0.name == name } }
    library.parts.open([file.format.reader])
    guard file.format == .onnx else {
      let network = try read(file.path)
      if hasRatio(network) { throw cannotFix(file) }
      return network
    }
    let bytes = try file.contents()
    let inputs = ONNXInputs.names(in: bytes)
    // From memory OpenVINO would read weights that lie beside the file out of the working directory.
    let hasWeightsBeside = ONNXExternalData.locations(in: bytes) != []
    if hasWeightsBeside || !inputs.contains(name)
      || !inputs.isSubset(of: ModelFamily.RecurrentName.inputs)
    {
      let network = try read(file.path)
      if !hasRatio(network) { return network }
      // OpenVINO drops inputs that lead nowhere along with this one; they are to be seen before.
      _ = try ModelFamily.recognise(network)
      if hasWeightsBeside { throw cannotFix(file) }
    }
    let fixed = try read(bytes + ONNXConstant.suffix(name: name, value: 1), of: file.path)
    if hasRatio(fixed) { throw cannotFix(file) }
    return fixed
  }

  private func cannotFix(_ file: ModelFile) -> SegmentationError {
    SegmentationError(
      .modelUnknown,
      "\(file.path): the input \(ModelFamily.RecurrentName.ratio) cannot be made a constant. Take "
        + "the .onnx file of Robust Video Matting, or one that was exported without this input.")
  }
}
