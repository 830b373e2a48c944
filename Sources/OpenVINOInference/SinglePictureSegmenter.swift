import VirtualBackground

/// Runs a network that sees one picture at a time.
///
/// Safety: the tensors are the request's own; the pointers that are given out live as long as this.
final class SinglePictureSegmenter: Segmenter {
  let inputFormat: TensorFormat
  let use: NetworkUse
  let request: InferenceRequest
  private let input: FloatTensor
  private let output: FloatTensor

  init(_ use: NetworkUse, path: String, format: TensorFormat) throws(SegmentationError) {
    inputFormat = format
    self.use = use
    request = try use.network.makeRequest(path)
    let (width, height) = (format.width, format.height)
    switch format.layout {
    case .planar:
      input = try request.inputTensor(shape: [1, 3, height, width])
      output = try request.outputTensor(shape: [1, 1, height, width])
    case .interleaved:
      input = try request.inputTensor(shape: [1, height, width, 3])
      output = try request.outputTensor(shape: [1, height, width, 1])
    }
    input.fill(0)
    try request.rehearse(into: output)
  }

  var inputTensor: UnsafeMutablePointer<Float> { unsafe input.data }

  func infer() throws(SegmentationError) -> RawMatte {
    try request.run(into: output)
    return unsafe RawMatte(
      base: output.data, width: inputFormat.width, height: inputFormat.height)
  }

  func forgetPast() {}
}
