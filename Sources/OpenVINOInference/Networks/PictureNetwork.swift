import InferenceTypes

/// A network that sees one picture at a time: what goes in, what comes out and what that means.
struct PictureNetwork: Equatable, Sendable {
  /// How it wants its picture.
  var input: TensorFormat
  /// What its output with the matte holds.
  var output: OutputFormat
  /// Which of its outputs that is.
  var outputIndex = 0
  /// The names of the classes in the order of their channels or labels; empty for a network that
  /// tells one subject from the rest.
  var classes: [String] = []
  /// The channels or labels of that one subject, where there are no classes.
  var channels = [0]

  /// The shape of the input tensor.
  var inputShape: [Int] {
    switch input.layout {
    case .planar: [1, 3, input.height, input.width]
    case .interleaved: [1, input.height, input.width, 3]
    }
  }

  /// What one may ask it to keep; empty when it knows one subject only.
  var subjects: [String] { classes.filter { $0 != Self.background } }

  /// What is the opposite of a subject.
  private static let background = "background"

  /// The channels or labels that are to be kept.
  ///
  /// Throws `.subjectUnknown`, with the names that the network knows.
  func channels(of wanted: Subjects, path: String) throws(SegmentationError) -> [Int] {
    if classes.isEmpty { return channels }
    var found: [Int] = []
    for name in wanted.names {
      guard name != Self.background, let index = classes.firstIndex(of: name) else {
        throw SegmentationError(
          .subjectUnknown,
          "\(path) knows no \"\(name)\": set subjects to one or more of "
            + "\(subjects.joined(separator: ", ")).")
      }
      found.append(index)
    }
    return found
  }
}

/// What the values of a network's output mean, and how they lie.
struct OutputFormat: Equatable, Sendable {
  /// What a value says, by its name in descriptions.
  enum Values: String, CaseIterable, Sendable {
    /// 0 to 1: how sure the network is of a channel. Several channels are added.
    case probabilities
    /// Any number, which the logistic function turns into a probability. Of several channels the
    /// greatest counts.
    case sigmoidLogits = "sigmoid-logits"
    /// Any number for each of the channels, which exclude each other: their softmax is the
    /// probability. Several are added.
    case softmaxLogits = "softmax-logits"
    /// The number of a class.
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
  /// What they say.
  var values: Values
}
