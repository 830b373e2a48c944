import VirtualBackground

/// Reads networks with OpenVINO.
///
/// Making one costs nothing; the library is opened at the first `load`.
public struct OpenVINOModelLoader: SegmentationModelLoader {
  /// Makes a loader.
  public init() {}

  /// The folder where the networks of the ladder lie.
  ///
  /// `models` in the runtime folder: the one that `VBGFILTER_RUNTIME_DIR` names, else
  /// `../vbgfilter` as seen from the plugin's folder. It may not exist; nothing is opened.
  public static func modelsFolder() -> String {
    RuntimeFolder.models()
  }

  /// Reads and recognises a model.
  ///
  /// Throws `SegmentationError`: `.modelNotFound`, `.modelUnreadable` or `.modelUnknown` for the
  /// file, `.runtimeUnavailable` without OpenVINO, `.deviceRefused` when it has no such device.
  public func load(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    let file = try ModelFile(request.path)
    let core = try Core(OpenVINOLibrary.shared())
    _ = try core.properties(of: request.device)
    let network = try core.read(file.path)
    switch try ModelFamily.recognise(network) {
    case .singlePicture(let format):
      return SinglePictureModel(request: request, core: core, network: network, format: format)
    case .recurrent(let channels):
      return RecurrentModel(
        request: request, core: core,
        network: try Self.withoutRatio(network, file, core), stateChannels: channels)
    }
  }

  /// The same network with `downsample_ratio` made the constant 1.
  ///
  /// As an input it would keep the shapes inside the network open, whatever the outer ones are, and
  /// cost a third of the time more.
  private static func withoutRatio(
    _ network: Network, _ file: ModelFile, _ core: Core
  ) throws(SegmentationError) -> Network {
    let name = ModelFamily.RecurrentName.ratio
    func hasRatio(_ network: Network) -> Bool { network.inputs.contains { $0.name == name } }
    if !hasRatio(network) { return network }
    if file.format == .onnx {
      let bytes = try file.contents() + ONNXConstant.suffix(name: name, value: 1)
      let fixed = try core.read(bytes, of: file.path)
      if !hasRatio(fixed) { return fixed }
    }
    throw SegmentationError(
      .modelUnknown,
      "\(file.path): the input \(name) cannot be made a constant. Take the .onnx file of Robust "
        + "Video Matting, or one that was exported without this input.")
  }
}
