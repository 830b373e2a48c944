import InferenceTypes

/// O-Net of MTCNN on OpenVINO, as the set-up writes it.
///
/// Safety: the pointer that is given out lives as long as this.
package final class ONet: FacePatchNetwork {
  /// What the file is called among the installed networks.
  package static let file = "mtcnn_onet.onnx"

  let network: FixedNetwork

  /// The outputs are the face's edges, and how likely it is none and one.
  private static let kind = FixedNetwork.Kind(
    name: "O-Net of MTCNN", input: [1, 3, FacePatch.inputSize, FacePatch.inputSize],
    outputs: [[1, 4], [1, 2]])

  /// Reads the network of a file, or shares it with others of this process.
  package init(path: String, device: String, threads: Int) throws(SegmentationError) {
    network = try FixedNetwork(Self.kind, path: path, device: device, threads: threads)
  }

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe network.input.data }

  package func judge() throws(SegmentationError) -> FacePatch {
    try network.infer()
    let (edges, scores) = unsafe (network.outputs[0].data, network.outputs[1].data)
    // From the patch's edges on the same side.
    return unsafe FacePatch(
      score: scores[1], left: edges[0], top: edges[1], right: 1 + edges[2], bottom: 1 + edges[3])
  }
}
