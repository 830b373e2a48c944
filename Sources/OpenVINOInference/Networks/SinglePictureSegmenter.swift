import Matting

/// Runs a network for single pictures.
///
/// Safety: the request owns the tensors. The exposed pointers are valid for as long as this object
/// lives.
final class SinglePictureSegmenter: Segmenter {
  let inputFormat: TensorFormat
  let use: NetworkUse
  let request: InferenceRequest
  private let input: FloatTensor
  private let output: FloatTensor
  private let reader: OutputReader

  /// Creates a segmenter that keeps the given channels or labels of the network's output.
  init(
    _ use: NetworkUse, path: String, network: PictureNetwork, kept: [Int]
  ) throws(SegmentationError) {
    inputFormat = network.input
    self.use = use
    request = try InferenceRequest(of: use.network, path: path)
    input = try request.inputTensor(shape: network.inputShape)
    output = try request.outputTensor(network.outputIndex, shape: network.output.shape)
    reader = OutputReader(
      network.output, kept: kept, width: network.input.width, height: network.input.height)
    input.fill(0)
    try request.rehearse(into: output)
  }

  var inputTensor: UnsafeMutablePointer<Float> { unsafe input.data }

  func infer() throws(SegmentationError) -> RawMatte {
    try request.run(into: output)
    return unsafe reader.read(output.data)
  }

  func consumeHelperTime() -> UInt64 { request.consumeHelperTime() }

  func reset() {}
}
