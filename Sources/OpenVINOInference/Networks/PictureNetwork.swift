import Matting
import PixelTypes

/// A network for single pictures: its input, its output and their meaning.
struct PictureNetwork: Equatable, Sendable {
  /// The format of the input picture.
  var input: TensorFormat
  /// The format of the output with the matte.
  var output: OutputFormat
  /// The index of the output with the matte.
  var outputIndex = 0
  /// The names of the classes in the order of their channels or labels.
  ///
  /// Empty for a network that separates one subject from the background.
  var classes: [String] = []
  /// The channels or labels of the subject in a network without classes.
  var channels = [0]

  /// The shape of the input tensor.
  var inputShape: [Int] {
    switch input.layout {
    case .planar: [1, 3, input.height, input.width]
    case .interleaved: [1, input.height, input.width, 3]
    }
  }

  /// The names of the selectable subjects, or empty for a network without classes.
  var subjects: [String] { classes.filter { $0 != Self.background } }

  /// The class that is not a subject.
  private static let background = "background"

  /// Returns the channels or labels of the subjects to keep.
  ///
  /// Throws `.subjectUnknown`, with the supported names, if the network lacks a subject.
  func channels(of wanted: Subjects, path: String) throws(SegmentationError) -> [Int] {
    if classes.isEmpty { return channels }
    var found: [Int] = []
    for name in wanted.names {
      guard name != Self.background, let index = classes.firstIndex(of: name) else {
        throw SegmentationError(
          .subjectUnknown,
          "\(path) has no class \"\(name)\": set subjects to one or more of "
            + "\(subjects.joined(separator: ", ")).")
      }
      found.append(index)
    }
    return found
  }
}

/// The meaning and the layout of a network's output.
struct OutputFormat: Equatable, Sendable {
  /// The meaning of a value, by its name in descriptions.
  enum Values: String, CaseIterable, Sendable {
    /// Probabilities of 0 to 1. The matte is the sum of the kept channels.
    case probabilities
    /// Logits of independent channels. The matte is the maximum of the kept channels.
    case sigmoidLogits = "sigmoid-logits"
    /// Logits of exclusive channels. The matte is the sum of the kept channels' probabilities.
    case softmaxLogits = "softmax-logits"
    /// Indices of classes.
    case labels
  }

  /// The shape of the tensor.
  var shape: [Int]
  /// The width and the height of a channel.
  var width: Int, height: Int
  /// The number of values per pixel.
  var channels: Int
  /// The order of the values in memory.
  var layout: TensorFormat.Layout
  /// The meaning of the values.
  var values: Values
}

extension PictureNetwork {
  /// Returns the description of a network with one input, and one output of the same size, the
  /// matte.
  static func selfie(_ format: TensorFormat) -> Self {
    PictureNetwork(
      input: format,
      output: OutputFormat(width: format.width, height: format.height, layout: format.layout))
  }

  /// Returns the description of U-2-Net.
  ///
  /// The input is RGB normalised as for ImageNet, and the first output is the matte.
  ///
  /// Two steps of U-2-Net's authors are omitted:
  /// - They and rembg stretch each matte to the range 0 to 1. With a salient object this has no
  ///   effect: the matte reaches 0.99999 (measured). Without one it turns noise into a subject, for
  ///   example in a picture of the sky with a matte of at most 0.1.
  /// - They divide the picture by its maximum, which causes flicker in a video.
  static func salientObjects(width: Int, height: Int) -> Self {
    var input = TensorFormat(width: width, height: height, layout: .planar, fit: .stretch)
    input.red = SampleRange(mean: 0.485, deviation: 0.229)
    input.green = SampleRange(mean: 0.456, deviation: 0.224)
    input.blue = SampleRange(mean: 0.406, deviation: 0.225)
    return PictureNetwork(
      input: input, output: OutputFormat(width: width, height: height, layout: .planar))
  }

  /// Returns the description of DeepLabV3 with the 21 classes of PASCAL VOC.
  ///
  /// The network's output precedes the softmax.
  static func pascalClasses(width: Int, height: Int) -> Self {
    PictureNetwork(
      input: TensorFormat(
        width: width, height: height, layout: .interleaved, fit: .stretch,
        range: SampleRange(low: -1, high: 1)),
      output: OutputFormat(
        width: width, height: height, channels: pascalClasses.count, layout: .interleaved,
        values: .softmaxLogits),
      classes: pascalClasses)
  }

  /// The classes of PASCAL VOC, in the order of all its networks.
  static let pascalClasses = [
    "background", "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair",
    "cow", "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa",
    "train", "tvmonitor",
  ]
}

extension OutputFormat {
  /// Creates the format of an output with four dimensions.
  init(
    width: Int, height: Int, channels: Int = 1, layout: TensorFormat.Layout,
    values: Values = .probabilities
  ) {
    let shape = layout == .planar ? [1, channels, height, width] : [1, height, width, channels]
    self.init(
      shape: shape, width: width, height: height, channels: channels, layout: layout,
      values: values)
  }
}

extension SampleRange {
  /// Creates the range that 0 to 1 becomes after subtraction of `mean` and division by `deviation`.
  init(mean: Float, deviation: Float) {
    self.init(low: -mean / deviation, high: (1 - mean) / deviation)
  }
}
