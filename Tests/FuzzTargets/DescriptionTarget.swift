import Matting
import PixelTypes
import TestSupport

@testable import OpenVINOInference

extension FuzzTarget {
  /// Reads the description of a network that the first bytes define, or an ONNX file.
  func readDescription(_ bytes: [UInt8]) throws(Finding) {
    var input = FuzzInput(bytes)
    if input.flag(onceIn: 4) {
      try readWeights(input.rest())
    } else {
      let network = FuzzNetwork(&input)
      try describe(network, input.rest())
    }
  }

  /// Finds and embeds the external weights of an ONNX model.
  private func readWeights(_ model: [UInt8]) throws(Finding) {
    let locations = ONNXExternalData.locations(in: model)
    // Prepended, because a field after a truncated model could mean anything.
    try expect(
      ONNXExternalData.locations(in: [0x3A, 0] + model) == locations,
      "an empty graph changed the names of weight files")
    guard let locations else { return }
    let constant = ONNXConstant.suffix(name: "ratio", value: 1)
    try expect(
      ONNXExternalData.locations(in: model + constant) == locations,
      "a constant changed the names of weight files")
    let files = Dictionary(uniqueKeysWithValues: locations.map { ($0, [1, 2, 3, 4] as [UInt8]) })
    guard let whole = ONNXExternalData.embed(files, in: model) else { return }
    try expect(
      ONNXExternalData.locations(in: whole) == [], "a model with embedded weights names files")
  }

  private func describe(_ network: FuzzNetwork, _ text: [UInt8]) throws(Finding) {
    let described: PictureNetwork
    let kept: [Int]
    do throws(SegmentationError) {
      described = try ModelInfo(KeyFile(text, path: "x.modelinfo")).describe(network)
      kept = try described.channels(of: Subjects("person,b"), path: "x.onnx")
    } catch {
      let kinds: [SegmentationError.Kind] = [.descriptionInvalid, .subjectUnknown, .modelUnknown]
      return try expect(kinds.contains(error.kind), "an unexpected kind of error: \(error)")
    }
    let sides = 1...ModelFamily.largestSide
    let (picture, output) = (described.input, described.output)
    for side in [picture.width, picture.height, output.width, output.height] {
      try expect(sides.contains(side), "a side is not 1 to \(sides.upperBound): \(described)")
    }
    let count = output.shape.reduce(1, *)
    try expect(
      output.width * output.height * output.channels == count,
      "the output does not have the tensor's size: \(output)")
    try expect(network.outputs.indices.contains(described.outputIndex), "the output does not exist")
    // The matte target tests the reader. Here the description must only be readable.
    guard count <= 1 << 16, picture.width * picture.height <= 1 << 16 else { return }
    let tensor = Raster<Float>(width: count, height: 1, filledWith: 0.5)
    let reader = OutputReader(output, kept: kept, width: picture.width, height: picture.height)
    let matte = unsafe reader.read(tensor.base)
    withExtendedLifetime(tensor) {}
    try expect(
      (matte.width, matte.height) == (picture.width, picture.height),
      "the matte does not have its picture's size: \(matte.width)x\(matte.height)")
  }
}

/// A network with any inputs and outputs, which accepts or refuses shapes.
private final class FuzzNetwork: DescribedNetwork {
  private(set) var inputs: [TensorDescription]
  private(set) var outputs: [TensorDescription]
  private let takesShapes: Bool

  init(_ input: inout FuzzInput) {
    takesShapes = !input.flag(onceIn: 8)
    inputs = [Self.tensor(&input)]
    if input.flag(onceIn: 8) { inputs.append(Self.tensor(&input)) }
    outputs = []
    for _ in 0..<input.integer(in: 1...3) { outputs.append(Self.tensor(&input)) }
  }

  private static func tensor(_ input: inout FuzzInput) -> TensorDescription {
    let name = input.choice(["a", "b", "", "person"])
    let type = input.choice(["f32", "f16", "i64"])
    if input.flag(onceIn: 16) { return TensorDescription(name: name, type: type, shape: nil) }
    let sizes: [Int?] = [1, 3, nil, 2, 4, 0, 16, 21, 144, 256, 2048, 2049, 65536, .max, -1, 9]
    let rank = input.choice([4, 4, 4, 3, 2, 0, 1, 5])
    var shape: [Int?] = []
    for _ in 0..<rank { shape.append(input.choice(sizes)) }
    return TensorDescription(name: name, type: type, shape: shape)
  }

  func reshape(_ shapes: [(index: Int, shape: [Int])]) throws(SegmentationError) {
    guard takesShapes else { throw SegmentationError(.modelUnknown, "unsupported shape") }
    for (index, shape) in shapes { inputs[index].shape = shape }
  }

  func convertToFloats() throws(SegmentationError) {
    for index in inputs.indices { inputs[index].type = "f32" }
    for index in outputs.indices { outputs[index].type = "f32" }
  }
}
