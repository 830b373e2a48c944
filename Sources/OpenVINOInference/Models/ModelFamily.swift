import Matting
import PixelTypes

/// A kind of network that vbgfilter supports.
enum ModelFamily: Equatable, Sendable {
  /// A network for single pictures.
  case picture(PictureNetwork)
  /// Robust Video Matting, which accepts any size and has recurrent states with these channels.
  case recurrent(stateChannels: [Int])

  /// The maximum width and height of a picture, because larger tensors could exhaust the memory.
  static let largestSide = 2048

  /// The description of the network, for all but Robust Video Matting.
  var pictureNetwork: PictureNetwork? {
    if case .picture(let network) = self { network } else { nil }
  }

  /// Creates a known family from a text of `recognise`, or returns nil for any other text.
  init?(text: String) {
    let words = text.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }.filter { 1...4096 ~= $0 }
    guard let kind = words.first, numbers.count == words.count - 1 else { return nil }
    switch (kind, numbers.count) {
    case ("planar", 2), ("interleaved", 2):
      self = .picture(
        .selfie(
          TensorFormat(
            width: numbers[0], height: numbers[1],
            layout: kind == "planar" ? .planar : .interleaved, fit: .stretch)))
    case ("salient", 2):
      self = .picture(.salientObjects(width: numbers[0], height: numbers[1]))
    case ("pascal", 2): self = .picture(.pascalClasses(width: numbers[0], height: numbers[1]))
    case ("recurrent", RecurrentName.stateInputs.count):
      self = .recurrent(stateChannels: numbers)
    default: return nil
    }
  }

  /// The tensor names of Robust Video Matting.
  enum RecurrentName {
    static let picture = "src"
    static let ratio = "downsample_ratio"
    static let matte = "pha"
    static let stateInputs = ["r1i", "r2i", "r3i", "r4i"]
    static let stateOutputs = ["r1o", "r2o", "r3o", "r4o"]
    static let inputs = Set([picture, ratio] + stateInputs)
  }

  /// Recognises a network by its inputs and outputs.
  ///
  /// Returns the family also as a text, for the cache.
  ///
  /// Throws `.modelUnknown`, with the expected and the actual tensors, if no family matches.
  static func recognise(
    _ network: Network
  ) throws(SegmentationError) -> (family: ModelFamily, text: String) {
    let (inputs, outputs) = (network.inputs, network.outputs)
    func hasInput(_ name: String) -> Bool { inputs.contains { $0.name == name } }
    do throws(Mismatch) {
      let text =
        if hasInput(RecurrentName.picture) && hasInput(RecurrentName.stateInputs[0]) {
          try recurrent(inputs, outputs)
        } else if let known = salientObjects(inputs, outputs) ?? pascalClasses(inputs, outputs) {
          known
        } else {
          try selfie(inputs, outputs)
        }
      guard let family = ModelFamily(text: text) else { throw Mismatch("found \(text)") }
      return (family, text)
    } catch {
      let inputs = inputs.map(\.description).joined(separator: ", ")
      let outputs = outputs.map(\.description).joined(separator: ", ")
      throw SegmentationError(
        .modelUnknown,
        "\(network.path) is a network of an unknown family: \(error.words). It has the inputs "
          + "[\(inputs)] and the outputs [\(outputs)]. Known are person mattes like MediaPipe's "
          + "selfie segmentation (f32 1xHxWx3 to 1xHxWx1, or 1x3xHxW to 1x1xHxW), Robust Video "
          + "Matting, U-2-Net and DeepLabV3. Describe any other network in the file "
          + "\(network.path)\(ModelInfo.suffix).")
    }
  }

  /// The difference between a network and a family.
  private struct Mismatch: Error {
    let words: String
    init(_ words: String) { self.words = words }
  }

  /// U-2-Net has seven outputs: the matte, and its components at six scales.
  private static func salientObjects(
    _ inputs: [TensorDescription], _ outputs: [TensorDescription]
  ) -> String? {
    guard inputs.count == 1, outputs.count == 7, inputs[0].isFloat32,
      let shape = inputs[0].fixedShape, shape.count == 4, shape[..<2] == [1, 3],
      shape[2...].allSatisfy({ 1...largestSide ~= $0 }),
      outputs.allSatisfy({ $0.isFloat32 && $0.fixedShape == [1, 1, shape[2], shape[3]] })
    else { return nil }
    return "salient \(shape[3]) \(shape[2])"
  }

  private static func pascalClasses(
    _ inputs: [TensorDescription], _ outputs: [TensorDescription]
  ) -> String? {
    guard inputs.count == 1, outputs.count == 1, inputs[0].isFloat32,
      outputs[0].isFloat32, let shape = inputs[0].fixedShape, shape.count == 4,
      shape[0] == 1, shape[3] == 3, shape[1...2].allSatisfy({ 1...largestSide ~= $0 }),
      outputs[0].fixedShape == [1, shape[1], shape[2], PictureNetwork.pascalClasses.count]
    else { return nil }
    return "pascal \(shape[2]) \(shape[1])"
  }

  private static func selfie(
    _ inputs: [TensorDescription], _ outputs: [TensorDescription]
  ) throws(Mismatch) -> String {
    for (tensors, kind) in [(inputs, "input"), (outputs, "output")] {
      guard tensors.count == 1 else {
        throw Mismatch("expected one \(kind), found \(tensors.count)")
      }
      guard tensors[0].isFloat32 else {
        throw Mismatch("expected an f32 \(kind), found \(tensors[0])")
      }
    }
    guard let input = inputs[0].fixedShape, input.count == 4, input[0] == 1 else {
      throw Mismatch(
        "expected an input of four fixed dimensions, of which the first is 1, found \(inputs[0])")
    }
    let output = outputs[0].fixedShape
    let (layout, width, height): (String, Int, Int)
    if input[3] == 3 && output == [1, input[1], input[2], 1] {
      (layout, width, height) = ("interleaved", input[2], input[1])
    } else if input[1] == 3 && output == [1, 1, input[2], input[3]] {
      (layout, width, height) = ("planar", input[3], input[2])
    } else {
      throw Mismatch("expected an input with three channels, and a matte of its size as output")
    }
    guard 1...largestSide ~= width, 1...largestSide ~= height else {
      throw Mismatch("expected a picture of 1 to \(largestSide) pixels per side")
    }
    return "\(layout) \(width) \(height)"
  }

  private static func recurrent(
    _ inputs: [TensorDescription], _ outputs: [TensorDescription]
  ) throws(Mismatch) -> String {
    if let stranger = inputs.first(where: { !RecurrentName.inputs.contains($0.name) }) {
      throw Mismatch("unexpected input \(stranger)")
    }
    let picture = try channels(of: RecurrentName.picture, in: inputs)
    guard picture == nil || picture == 3 else {
      throw Mismatch("expected \(RecurrentName.picture) to have three channels")
    }
    let matte = try channels(of: RecurrentName.matte, in: outputs)
    guard matte == nil || matte == 1 else {
      throw Mismatch("expected \(RecurrentName.matte) to have one channel")
    }
    for name in RecurrentName.stateInputs { _ = try channels(of: name, in: inputs) }
    var states: [Int] = []
    for name in RecurrentName.stateOutputs {
      guard let count = try channels(of: name, in: outputs), 1...4096 ~= count else {
        throw Mismatch("expected \(name) to have a fixed number of channels")
      }
      states.append(count)
    }
    return "recurrent " + states.map(String.init).joined(separator: " ")
  }

  /// Returns the channels of an f32 tensor with four dimensions.
  ///
  /// Returns nil if there is no such tensor, or if its number of channels is open.
  private static func channels(
    of name: String, in list: [TensorDescription]
  ) throws(Mismatch) -> Int? {
    guard let tensor = list.first(where: { $0.name == name }) else {
      throw Mismatch("expected \(name), which is missing")
    }
    guard tensor.isFloat32, let shape = tensor.shape, shape.count == 4 else {
      throw Mismatch("expected \(name) to be f32 of four dimensions, found \(tensor)")
    }
    return shape[1]
  }
}
