import InferenceTypes

/// A network for single pictures: its input, its output and their meaning.
struct PictureNetwork: Equatable, Sendable {
  /// The format of its picture.
  var input: TensorFormat
  /// The format of the output with the matte.
  var output: OutputFormat
  /// The index of the output with the matte.
  var outputIndex = 0
  /// The names of the classes in the order of their channels or labels.
  ///
  /// Empty for a network that separates one subject from the rest.
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

  /// The subjects that can be kept, or empty if there is only one.
  var subjects: [String] { classes.filter { $0 != Self.background } }

  /// The class that is not a subject.
  private static let background = "background"

  /// Returns the channels or labels to keep.
  ///
  /// Throws `.subjectUnknown`, with the names that the network supports.
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
    /// Confidence of 0 to 1. Several channels are added.
    case probabilities
    /// Logits for the logistic function. The maximum of several channels counts.
    case sigmoidLogits = "sigmoid-logits"
    /// Logits of exclusive channels, for a softmax. The probabilities of several channels are
    /// added.
    case softmaxLogits = "softmax-logits"
    /// The index of a class.
    case labels
  }

  /// The shape of the tensor.
  var shape: [Int]
  /// Values in a row, and rows, of a channel.
  var width: Int, height: Int
  /// Values of a pixel.
  var channels: Int
  /// Order of the values in memory.
  var layout: TensorFormat.Layout
  /// The meaning of the values.
  var values: Values
}
