import VirtualBackground

/// A network of Robust Video Matting, which takes any size and remembers what it saw.
///
/// Safety: the handles in it are used by one thread at a time, as the protocol demands; reshaping
/// changes the network between the segmenters that are made of it, not those.
final class RecurrentModel: SegmentationModel, @unchecked Sendable {
  private let request: ModelRequest
  private let core: Core
  private let network: Network
  private let stateChannels: [Int]

  init(request: ModelRequest, core: Core, network: Network, stateChannels: [Int]) {
    self.request = request
    self.core = core
    self.network = network
    self.stateChannels = stateChannels
  }

  var path: String { request.path }

  func makeSegmenter(
    frameWidth: Int, frameHeight: Int
  ) throws(SegmentationError) -> any Segmenter {
    typealias Name = ModelFamily.RecurrentName
    let size = RecurrentSize(
      lines: request.lines, frameWidth: frameWidth, frameHeight: frameHeight)
    let states = stateChannels.enumerated().map { level, channels in
      size.stateShape(level: level + 1, channels: channels)
    }
    let inputs = [Name.picture: [1, 3, size.height, size.width]].merging(
      zip(Name.stateInputs, states)
    ) { $1 }
    // With all shapes known beforehand an inference takes three quarters of the time.
    try network.reshape(
      network.inputs.enumerated().compactMap { index, input in
        inputs[input.name].map { (index, $0) }
      })
    let outputs = [Name.matte: [1, 1, size.height, size.width]].merging(
      zip(Name.stateOutputs, states)
    ) { $1 }
    for output in network.outputs {
      guard let expected = outputs[output.name], output.fixedShape != expected else { continue }
      throw SegmentationError(
        .modelUnknown,
        "\(path) is not quite Robust Video Matting: for pictures of \(size.width)x\(size.height) "
          + "expected \(output.name) to be \(expected), found \(output).")
    }

    let compiled = try core.compile(network, device: request.device, threads: request.threads)
    return try RecurrentSegmenter(
      compiled, library: core.library, size: size, stateShapes: states)
  }
}
