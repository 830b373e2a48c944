import VirtualBackground

/// Runs a network that sees one picture at a time.
///
/// Safety: the tensors are the request's own; the pointers that are given out live as long as this.
final class SinglePictureSegmenter: Segmenter {
  let inputFormat: TensorFormat
  private let request: InferenceRequest
  private let input: FloatTensor
  private let output: FloatTensor

  init(
    request: InferenceRequest, network: Network, format: TensorFormat
  ) throws(SegmentationError) {
    inputFormat = format
    self.request = request
    input = try request.inputTensor(shape: network.inputs[0].fixedShape ?? [])
    output = try request.outputTensor(shape: network.outputs[0].fixedShape ?? [])
    // The first inference touches all the memory, so that the first frame takes no longer than the
    // next, and shows whether the device can do it.
    input.fill(0)
    try request.run(into: output, orThrow: .deviceRefused)
  }

  var inputTensor: UnsafeMutablePointer<Float> { unsafe input.data }

  func infer() throws(SegmentationError) -> RawMatte {
    try request.run(into: output)
    return unsafe RawMatte(
      base: output.data, width: inputFormat.width, height: inputFormat.height)
  }

  func forgetPast() {}
}
