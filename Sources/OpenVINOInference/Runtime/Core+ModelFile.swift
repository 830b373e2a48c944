import InferenceTypes

extension Core {
  /// Reads the network of a model's files.
  ///
  /// For Robust Video Matting, `downsample_ratio` becomes the constant 1. As an input, it would
  /// keep the shapes inside the network open, and an inference would take longer.
  func read(
    _ parts: ModelParts, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) -> Network {
    let (path, format) = (parts.file.path, parts.file.format)
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
}
