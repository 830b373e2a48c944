import Glibc
import InferenceTypes
import InputFiles

/// All files of a model: the model file itself and its weight files.
struct ModelParts {
  let file: ModelFile
  /// The name in the model and the path of each weight file, which need not exist.
  private let weights: [(name: String, path: String)]

  /// Finds the files of a model.
  ///
  /// An ONNX model contains the names of its weight files.
  init(
    _ file: ModelFile, isCancelled: () -> Bool = { false }
  ) throws(SegmentationError) {
    self.file = file
    switch file.format {
    case .tflite: weights = []
    case .xml: weights = [("weights", file.path.dropLast(4) + ".bin")]
    case .onnx:
      let model = try file.contents(isCancelled: isCancelled)
      guard let locations = ONNXExternalData.locations(in: model) else {
        throw SegmentationError(
          .modelUnreadable,
          "\(file.path) contains no network: it is not a complete ONNX model. "
            + SegmentationError.remedyForDamage)
      }
      func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
      }
      weights = locations.sorted().map { ($0, folder(file.path) + $0) }
      // The model may be a link: some caches keep all real files in another folder.
      let folders = [file.path, ImageFile.realPath(file.path) ?? file.path]
        .compactMap { ImageFile.realPath(folder($0)) }.map { $0 == "/" ? $0 : $0 + "/" }
      for (location, path) in weights {
        guard let path = ImageFile.realPath(path), !folders.contains(where: path.hasPrefix) else {
          continue
        }
        throw SegmentationError(
          .modelUnreadable,
          "\(file.path) stores weights in \(location), which is outside of its folder: put them "
            + "next to it, and save the model with that path.")
      }
    }
    guard let size = identity?.size, size > RegularFile.limit else { return }
    throw SegmentationError(
      .modelUnreadable,
      "\(file.path) is too large for a model: with its weights it has \(size) bytes, and at most "
        + "\(RegularFile.limit) are read.")
  }

  /// Whether the model has separate weight files.
  var hasWeightsBeside: Bool { !weights.isEmpty }

  /// The current state of the files, or nil if the model does not exist.
  var identity: ModelIdentity? {
    ModelIdentity(path: file.path, weightsPaths: weights.map(\.path))
  }

  /// Returns a checksum of all existing files.
  func checksum(isCancelled: () -> Bool) throws(SegmentationError) -> UInt64 {
    var sum = try RegularFile.ofModel(file.path).checksum(seed: 0, isCancelled: isCancelled)
    for (_, path) in weights where unsafe access(path, F_OK) == 0 {
      sum = try RegularFile.ofModel(path).checksum(seed: sum, isCancelled: isCancelled)
    }
    return sum
  }

  /// Throws unless all files exist and are regular files.
  func checkFiles() throws(SegmentationError) {
    _ = try RegularFile.ofModel(file.path)
    for (_, path) in weights { _ = try openWeights(path) }
  }

  /// Returns the bytes of an ONNX model with all weights embedded.
  ///
  /// OpenVINO never gets the paths of an ONNX model's weights: it would look for them in the working
  /// directory, and might find others than the ones that were checked.
  func onnx(isCancelled: () -> Bool) throws(SegmentationError) -> [UInt8] {
    let model = try file.contents(isCancelled: isCancelled)
    if weights.isEmpty { return model }
    var files: [String: [UInt8]] = [:]
    for (name, path) in weights {
      files[name] = try openWeights(path).bytes(isCancelled: isCancelled)
    }
    guard let whole = ONNXExternalData.embed(files, in: model) else {
      throw SegmentationError(
        .modelUnreadable,
        "\(file.path) refers to weights that its files do not contain: export the model again.")
    }
    return whole
  }

  private func openWeights(_ path: String) throws(SegmentationError) -> RegularFile {
    guard unsafe access(path, F_OK) == 0 else {
      throw SegmentationError(
        .modelUnreadable,
        "There is no file \(path), in which \(file.path) stores its weights: put it there.")
    }
    return try RegularFile.ofModel(path)
  }
}
