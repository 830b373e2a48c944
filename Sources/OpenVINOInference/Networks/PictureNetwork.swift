import InferenceTypes

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
