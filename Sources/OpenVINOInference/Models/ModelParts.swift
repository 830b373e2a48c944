import Glibc
import InferenceTypes

/// All files that a model consists of: its own, and those beside it that hold weights.
struct ModelParts {
  let file: ModelFile
  /// Where OpenVINO looks for weights; they need not exist.
  ///
  /// It refuses those that lie outside of the model's folder.
  private let weightsPaths: [String]

  /// Finds the parts of a model; those of an ONNX file are named in it.
  init(_ file: ModelFile) throws(SegmentationError) {
    self.file = file
    switch file.format {
    case .tflite: weightsPaths = []
    case .xml: weightsPaths = [file.path.dropLast(4) + ".bin"]
    case .onnx:
      guard let locations = ONNXExternalData.locations(in: try file.contents()) else {
        throw SegmentationError(
          .modelUnreadable,
          "\(file.path) holds no network: it is no whole ONNX model. The file may be broken or cut "
            + "short; if it is vbgfilter's own, \(SegmentationError.reinstallation).")
      }
      let folder = file.path.lastIndex(of: "/").map { file.path[...$0] } ?? ""
      weightsPaths = locations.sorted().map { $0.hasPrefix("/") ? $0 : folder + $0 }
    }
  }

  /// The state of the files at the moment; nil when the model is gone.
  var identity: ModelIdentity? { ModelIdentity(path: file.path, weightsPaths: weightsPaths) }

  /// The hash of the files, those that are there; nil when one cannot be read.
  func hash() -> UInt64? {
    ([file.path] + weightsPaths.filter { unsafe access($0, F_OK) == 0 }).reduce(0) { hash, path in
      hash.flatMap { FileBytes.hash(path, seed: $0) }
    }
  }
}
