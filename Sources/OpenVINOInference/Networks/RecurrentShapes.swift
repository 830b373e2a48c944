import Matting

/// The picture size and the tensor shapes of Robust Video Matting, which accepts any size.
struct RecurrentShapes: Sendable {
  let width: Int
  let height: Int
  /// The shapes of the states, each half the size of the previous one, rounded up.
  let states: [[Int]]

  private typealias Name = ModelFamily.RecurrentName

  /// The network halves the size four times, so both extents must be multiples of 16.
  private static let step = 16
  /// The minimum extent, because smaller sizes contain no useful detail.
  private static let smallest = 4 * step

  /// Chooses a size with about as many pixels as `lines` lines of a 16:9 picture.
  ///
  /// The aspect ratio is between the frame's and a square's. The network gets a crop around the
  /// people, which is usually narrower than a camera frame. Both extents are multiples of 16, and
  /// one is at most twice the other. `channels` are the numbers of channels of the states.
  init(lines: Int, frameWidth: Int, frameHeight: Int, channels: [Int]) {
    let frameWidth = Double(min(max(frameWidth, 1), 1 << 16))
    let frameHeight = Double(min(max(frameHeight, 1), 1 << 16))
    let lines = Double(min(max(lines, 1), ModelFamily.largestSide / 4))
    let aspect = min(max(frameWidth / frameHeight, 0.25), 4).squareRoot()
    let pixels = lines * lines * 16 / 9
    func rounded(_ length: Double) -> Int {
      max(Self.smallest, (Int(length) + Self.step / 2) / Self.step * Self.step)
    }
    width = rounded((pixels * aspect).squareRoot())
    height = rounded((pixels / aspect).squareRoot())
    var (columns, rows) = (width, height)
    states = channels.map { count in
      (columns, rows) = ((columns + 1) / 2, (rows + 1) / 2)
      return [1, count, rows, columns]
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
        "\(network.path) differs from Robust Video Matting: for pictures of \(width)x\(height) "
          + "expected \(output.name) to be \(expected), found \(output).")
    }
  }

  private func shapes(_ picture: String, channels: Int, _ stateNames: [String]) -> [String: [Int]] {
    [picture: [1, channels, height, width]].merging(zip(stateNames, states)) { $1 }
  }
}
