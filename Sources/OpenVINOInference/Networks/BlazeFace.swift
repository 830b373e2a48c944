import InferenceTypes

/// BlazeFace for short range on OpenVINO, from MediaPipe's original file.
///
/// Safety: the exposed pointers are valid for as long as this object lives.
package final class BlazeFace: FaceNetwork {
  /// The name of the installed file.
  package static let file = "face_detection_short_range.tflite"

  let network: FixedNetwork

  /// The outputs are the regressors and the scores.
  private static let kind = FixedNetwork.Kind(
    name: "BlazeFace for short range",
    input: [1, FaceAnchors.inputSize, FaceAnchors.inputSize, 3],
    outputs: [[1, FaceAnchors.count, FaceAnchors.regressors], [1, FaceAnchors.count, 1]])

  /// Loads the network of a file, or shares it with other users in this process.
  package init(path: String, device: String, threads: Int) throws(SegmentationError) {
    network = try FixedNetwork(Self.kind, path: path, device: device, threads: threads)
  }

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe network.input.data }

  package func infer() throws(SegmentationError) -> RawFaces {
    try network.infer()
    return unsafe RawFaces(regressors: network.outputs[0].data, scores: network.outputs[1].data)
  }
}
