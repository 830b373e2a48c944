import Matting
import PixelTypes

// Checks a description against its network.

/// The members of a network with which `ModelInfo` checks and changes it.
///
/// The tests have their own implementation.
protocol DescribedNetwork: AnyObject {
  /// The inputs in the order of the file.
  var inputs: [TensorDescription] { get }
  /// The outputs in the order of the file.
  var outputs: [TensorDescription] { get }

  func reshape(_ shapes: [(index: Int, shape: [Int])]) throws(SegmentationError)
  func convertToFloats() throws(SegmentationError)
}

extension Network: DescribedNetwork {}

extension ModelInfo {
  /// Sets the shapes and element types of a network, and returns the `PictureNetwork` for its
  /// inferences.
  ///
  /// Throws `.descriptionInvalid` if the network does not match this description, and
  /// `.modelUnknown` if it does not support the size.
  func describe(_ network: some DescribedNetwork) throws(SegmentationError) -> PictureNetwork {
    guard network.inputs.count == 1 else {
      throw wrong(
        input.name,
        "the network has \(network.inputs.count) inputs, \(list(network.inputs)); only networks with "
          + "one input can be described")
    }
    _ = try find(input, among: network.inputs, "input")
    let index = try find(output.tensor, among: network.outputs, "output")
    for other in otherOutputs { _ = try find(other, among: network.outputs, "output") }
    let format = try inputFormat(network.inputs[0])
    var description = PictureNetwork.selfie(format)
    try description.apply(to: network)
    let found = network.outputs[index]
    description.outputIndex = index
    description.output = try outputFormat(found, for: format)
    description.classes = output.classes
    description.channels = try channels(of: description.output, found)
    return description
  }

  // MARK: - Input

  private func inputFormat(_ tensor: TensorDescription) throws(SegmentationError) -> TensorFormat {
    guard let shape = tensor.shape, shape.count == 4, (shape[0] ?? 1) == 1 else {
      throw wrong(input.name, "expected four dimensions, of which the first is 1, found \(tensor)")
    }
    let layout = try inputLayout(shape, tensor)
    let sides = layout == .planar ? (shape[3], shape[2]) : (shape[2], shape[1])
    let (width, height) = (size?[0] ?? sides.0, size?[1] ?? sides.1)
    guard let width, let height else {
      throw wrong(input.name, "the network accepts any size: choose one with size=WIDTHxHEIGHT")
    }
    guard width == sides.0 ?? width, height == sides.1 ?? height else {
      throw wrong(input.name, "size=\(width)x\(height) does not match: the network has \(tensor)")
    }
    guard 1...ModelFamily.largestSide ~= width, 1...ModelFamily.largestSide ~= height else {
      throw wrong(
        input.name, "expected at most \(ModelFamily.largestSide) per side, found \(tensor)")
    }
    var format = format
    (format.width, format.height, format.layout) = (width, height, layout)
    return format
  }

  private func inputLayout(
    _ shape: [Int?], _ tensor: TensorDescription
  ) throws(SegmentationError) -> TensorFormat.Layout {
    let mayBePlanar = (shape[1] ?? 3) == 3
    let mayBeInterleaved = (shape[3] ?? 3) == 3
    // A known dimension is stronger evidence of the layout than an open one.
    switch (input.layout, mayBePlanar, mayBeInterleaved) {
    case (.planar, true, _), (nil, true, false): return .planar
    case (.interleaved, _, true), (nil, false, true): return .interleaved
    case (nil, true, true) where shape[1] != nil && shape[3] == nil: return .planar
    case (nil, true, true) where shape[1] == nil && shape[3] != nil: return .interleaved
    case (nil, true, true):
      throw wrong(input.name, "expected layout=nchw or layout=nhwc, because \(tensor) fits both")
    case (let layout, _, _):
      let expected = layout.map { $0 == .planar ? "1x3xHxW" : "1xHxWx3" } ?? "1x3xHxW or 1xHxWx3"
      throw wrong(input.name, "expected \(expected), found \(tensor)")
    }
  }

  // MARK: - Output

  /// Returns the layout of the matte in its tensor.
  ///
  /// The shapes 1xHxW and HxW have one channel. A tensor with four dimensions has the layout of the
  /// input, unless only the other layout matches the picture's aspect ratio.
  private func outputFormat(
    _ tensor: TensorDescription, for picture: TensorFormat
  ) throws(SegmentationError) -> OutputFormat {
    guard let values = output.values else { throw wrongOutput("the key values is missing") }
    guard let shape = tensor.fixedShape, shape.allSatisfy({ $0 >= 1 }) else {
      throw wrongOutput("expected fixed dimensions, found \(tensor)")
    }
    func format(_ layout: TensorFormat.Layout) -> OutputFormat? {
      let sides: (channels: Int, height: Int, width: Int)
      switch (shape.count, layout) {
      case (4, .planar) where shape[0] == 1: sides = (shape[1], shape[2], shape[3])
      case (4, .interleaved) where shape[0] == 1: sides = (shape[3], shape[1], shape[2])
      case (3, .planar) where shape[0] == 1: sides = (1, shape[1], shape[2])
      case (2, .planar): sides = (1, shape[0], shape[1])
      default: return nil
      }
      guard sides.channels <= 1024, sides.height <= ModelFamily.largestSide,
        sides.width <= ModelFamily.largestSide
      else { return nil }
      return OutputFormat(
        shape: shape, width: sides.width, height: sides.height, channels: sides.channels,
        layout: layout, values: values)
    }
    if let layout = output.tensor.layout, shape.count == 4 {
      if let format = format(layout) { return format }
      throw wrongOutput("the key layout does not match: the network has \(tensor)")
    }
    let other: TensorFormat.Layout = picture.layout == .planar ? .interleaved : .planar
    let fitting = [format(picture.layout), format(other)].compactMap { $0 }.first { format in
      let difference = format.width * picture.height - format.height * picture.width
      return abs(difference) <= max(picture.width, picture.height)
    }
    guard let fitting else {
      throw wrongOutput(
        "expected a matte with the aspect ratio of the picture, \(picture.width)x\(picture.height), "
          + "as 1xCxHxW, 1xHxWxC, 1xHxW or HxW, found \(tensor)")
    }
    return fitting
  }

  private func channels(
    of format: OutputFormat, _ tensor: TensorDescription
  ) throws(SegmentationError) -> [Int] {
    if format.values == .labels {
      guard format.channels == 1 else {
        throw wrongOutput("values=labels requires one label per pixel, found \(tensor)")
      }
      if output.classes.isEmpty, output.channels == nil {
        throw wrongOutput("expected the key classes, or the key channels with the labels to keep")
      }
      return output.channels ?? []
    }
    if format.values == .softmaxLogits, format.channels < 2 {
      throw wrongOutput(
        "values=softmax-logits requires several channels, found \(tensor); one channel contains "
          + "probabilities or sigmoid-logits")
    }
    if !output.classes.isEmpty {
      guard output.classes.count == format.channels else {
        throw wrongOutput(
          "classes has \(output.classes.count) names, but the network has "
            + "\(format.channels) channels")
      }
      return []
    }
    guard let channels = output.channels ?? (format.channels == 1 ? [0] : nil) else {
      throw wrongOutput(
        "expected the key classes, or the key channels with the numbers to keep, from 0 to "
          + "\(format.channels - 1)")
    }
    guard !channels.isEmpty, channels.allSatisfy({ $0 < format.channels }),
      Set(channels).count == channels.count
    else {
      throw wrongOutput("expected different numbers from 0 to \(format.channels - 1) in channels")
    }
    return channels
  }

  // MARK: - Tensors

  /// Returns the index of the described tensor, which must have its type and dimensions.
  private func find(
    _ described: Tensor, among tensors: [TensorDescription], _ kind: String
  ) throws(SegmentationError) -> Int {
    guard let index = tensors.firstIndex(where: { $0.name == described.name }) else {
      throw wrong(described.name, "the network has no such \(kind); it has \(list(tensors))")
    }
    let tensor = tensors[index]
    if let type = described.type, type != tensor.type {
      throw wrong(described.name, "type does not match: the network has \(tensor)")
    }
    if let dims = described.dims, let shape = tensor.shape {
      let fits = dims.count == shape.count && zip(dims, shape).allSatisfy { $0 < 0 || $0 == $1 }
      guard fits else {
        let text = dims.map(String.init).joined(separator: ",")
        throw wrong(described.name, "dims=\(text) does not match: the network has \(tensor)")
      }
    }
    return index
  }

  private func list(_ tensors: [TensorDescription]) -> String {
    tensors.map(\.description).joined(separator: ", ")
  }

  private func wrongOutput(_ reason: String) -> SegmentationError {
    wrong(output.tensor.name, reason)
  }

  private func wrong(_ section: String, _ reason: String) -> SegmentationError {
    SegmentationError(.descriptionInvalid, "\(path): [\(section)]: \(reason).")
  }
}

extension PictureNetwork {
  /// Sets the size and the element types of a network.
  func apply(to network: some DescribedNetwork) throws(SegmentationError) {
    if network.inputs.first?.fixedShape != inputShape {
      try network.reshape([(index: 0, shape: inputShape)])
    }
    try network.convertToFloats()
  }
}
