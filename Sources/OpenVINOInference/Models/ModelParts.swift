import Glibc
import InputFiles
import Matting

/// All files of a model: the model file itself and its weight files.
struct ModelParts {
  let path: String
  let format: ModelFormat
  /// The name in the model and the path of each weight file, which need not exist.
  private let weights: [(name: String, path: String)]

  /// Finds the files of a model.
  ///
  /// An ONNX model contains the names of its weight files.
  init(_ path: String, isCancelled: () -> Bool = { false }) throws(SegmentationError) {
    self.path = path
    format = try ModelFormat(ofFile: path)
    switch format {
    case .tflite: weights = []
    case .xml: weights = [("weights", path.dropLast(4) + ".bin")]
    case .onnx:
      let model = try RegularFile.ofModel(path).bytes(isCancelled: isCancelled)
      guard let locations = ONNXExternalData.locations(in: model) else {
        throw SegmentationError(
          .modelUnreadable,
          "\(path) contains no network: it is not a complete ONNX model. "
            + SegmentationError.remedyForDamage)
      }
      func folder(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
      }
      weights = locations.sorted().map { ($0, folder(path) + $0) }
      // The model may be a link: some caches keep all real files in another folder.
      let folders = [path, ImageFile.realPath(path) ?? path]
        .compactMap { ImageFile.realPath(folder($0)) }.map { $0 == "/" ? $0 : $0 + "/" }
      for (location, place) in weights {
        guard let real = ImageFile.realPath(place), !folders.contains(where: real.hasPrefix) else {
          continue
        }
        throw SegmentationError(
          .modelUnreadable,
          "\(path) stores weights in \(location), which is outside of its folder: put them "
            + "next to it, and save the model with that path.")
      }
    }
    guard let size = identity?.size, size > RegularFile.limit else { return }
    throw SegmentationError(
      .modelUnreadable,
      "\(path) is too large for a model: with its weights it has \(size) bytes, and at most "
        + "\(RegularFile.limit) are read.")
  }

  /// Whether the model has separate weight files.
  var hasWeightsBeside: Bool { !weights.isEmpty }

  /// The current state of the files, or nil if the model does not exist.
  var identity: ModelIdentity? { ModelIdentity(path: path, weightsPaths: weights.map(\.path)) }

  /// The error if the files have changed while they were read.
  var changeError: SegmentationError {
    SegmentationError(.modelUnreadable, "\(path) was changed while it was read.")
  }

  /// Returns a checksum of all existing files.
  func checksum(isCancelled: () -> Bool) throws(SegmentationError) -> UInt64 {
    let existing = weights.map(\.path).filter { unsafe access($0, F_OK) == 0 }
    var sum: UInt64 = 0
    for path in [path] + existing {
      sum = try RegularFile.ofModel(path).checksum(seed: sum, isCancelled: isCancelled)
    }
    return sum
  }

  /// Throws unless all files exist and are regular files.
  func checkFiles() throws(SegmentationError) {
    _ = try RegularFile.ofModel(path)
    for (_, path) in weights { _ = try openWeights(path) }
  }

  /// Returns the bytes of an ONNX model with all weights embedded.
  ///
  /// OpenVINO never gets the paths of an ONNX model's weights: it would look for them in the
  /// working directory, and might find others than the ones that were checked.
  func onnx(isCancelled: () -> Bool) throws(SegmentationError) -> [UInt8] {
    let model = try RegularFile.ofModel(path).bytes(isCancelled: isCancelled)
    if weights.isEmpty { return model }
    var files: [String: [UInt8]] = [:]
    for (name, path) in weights {
      files[name] = try openWeights(path).bytes(isCancelled: isCancelled)
    }
    guard let whole = ONNXExternalData.embed(files, in: model) else {
      throw SegmentationError(
        .modelUnreadable,
        "\(path) refers to weights that its files do not contain: export the model again.")
    }
    return whole
  }

  private func openWeights(_ place: String) throws(SegmentationError) -> RegularFile {
    guard unsafe access(place, F_OK) == 0 else {
      throw SegmentationError(
        .modelUnreadable,
        "There is no file \(place), in which \(path) stores its weights: put it there.")
    }
    return try RegularFile.ofModel(place)
  }
}
