import InferenceTypes

/// BlazeFace (short range), which runs MediaPipe's original file on OpenVINO.
///
/// Safety: the exposed pointers are valid for as long as this object lives.
package final class BlazeFace: FaceNetwork {
  /// The name of the installed file.
  package static let file = "face_detection_short_range.tflite"

  let network: FixedNetwork

  /// The tensors of the network: the outputs are the regressors and the scores.
  private static let kind = FixedNetwork.Kind(
    name: "BlazeFace for short range",
    input: [1, FaceAnchors.inputSize, FaceAnchors.inputSize, 3],
    outputs: [[1, FaceAnchors.count, FaceAnchors.regressors], [1, FaceAnchors.count, 1]])

  /// Loads the network of a file, or shares it if this process has already loaded it.
  package init(path: String, device: String, threads: Int) throws(SegmentationError) {
    network = try FixedNetwork(Self.kind, path: path, device: device, threads: threads)
  }

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe network.input.data }

  package func infer() throws(SegmentationError) -> RawFaces {
    try network.infer()
    return unsafe RawFaces(regressors: network.outputs[0].data, scores: network.outputs[1].data)
  }
}
