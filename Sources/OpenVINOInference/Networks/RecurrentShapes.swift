import InferenceTypes

/// The tensor shapes of Robust Video Matting for pictures of one size.
struct RecurrentShapes: Sendable {
  let size: RecurrentSize
  /// The shapes of the states, each half the size of the previous one.
  let states: [[Int]]

  private typealias Name = ModelFamily.RecurrentName

  init(size: RecurrentSize, channels: [Int]) {
    self.size = size
    states = channels.enumerated().map { level, channels in
      size.stateShape(level: level + 1, channels: channels)
    }
  }

  /// Sets the shapes of a network's inputs, which reduces the time of an inference by a quarter.
  ///
  /// Throws `.modelUnknown` if the network does not support them.
  func apply(to network: Network) throws(SegmentationError) {
    let inputs = shapes(Name.picture, channels: 3, Name.stateInputs)
    try network.reshape(
      network.inputs.enumerated().compactMap { index, input in
        inputs[input.name].map { (index, $0) }
      })
    let outputs = shapes(Name.matte, channels: 1, Name.stateOutputs)
    for output in network.outputs {
      guard let expected = outputs[output.name], output.fixedShape != expected else { continue }
      throw SegmentationError(
        .modelUnknown,
        "\(network.path) differs from Robust Video Matting: for pictures of "
          + "\(size.width)x\(size.height) expected \(output.name) to be \(expected), found "
          + "\(output).")
    }
  }

  private func shapes(
    _ picture: String, channels: Int, _ stateNames: [String]
  ) -> [String: [Int]] {
    [picture: [1, channels, size.height, size.width]].merging(zip(stateNames, states)) { $1 }
  }
}
