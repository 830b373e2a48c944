/// A model to load, and the device to run it on.
public struct ModelRequest: Equatable, Sendable {
  /// The model's file.
  public var path: String
  /// The lines of the network's input, which networks with a fixed input size ignore.
  public var lines: Int
  /// OpenVINO's name of the device, for example `CPU`.
  public var device: String
  /// Threads per inference, or 0 to leave the choice to the device.
  public var threads: Int
  /// The classes to keep, which networks without classes ignore.
  public var subjects: Subjects

  /// Creates a request.
  public init(
    path: String, lines: Int, device: String, threads: Int, subjects: Subjects = Subjects()
  ) {
    (self.path, self.lines, self.device) = (path, lines, device)
    (self.threads, self.subjects) = (threads, subjects)
  }
}

/// A network that was loaded and recognised, but not yet prepared for a frame size.
///
/// It may be created on one thread and used on another. Not thread-safe.
public protocol SegmentationModel: AnyObject, Sendable {
  /// The file of the network.
  var path: String { get }

  /// The names of the classes that the network can keep.
  ///
  /// Empty for a network that finds only one kind of subject.
  var subjects: [String] { get }

  /// Prepares the network for a frame size, which takes from tens of milliseconds to a second.
  ///
  /// Throws `SegmentationError` when the device cannot run the network.
  func makeSegmenter(frameWidth: Int, frameHeight: Int) throws(SegmentationError) -> any Segmenter

  /// Does the first part of the work of the next `makeSegmenter` in advance.
  ///
  /// `makeSegmenter` uses the result if its frames have the same aspect ratio, or if the network
  /// accepts any aspect ratio. Errors are ignored, because `makeSegmenter` reports them.
  func prepare(frameWidth: Int, frameHeight: Int)
}

/// Loads models.
///
/// The element uses OpenVINO's loader. Tests use their own loaders.
public protocol SegmentationModelLoader: Sendable {
  /// Loads and recognises a model.
  ///
  /// `isCancelled` is called repeatedly and stops the loading when it returns true. Throws
  /// `SegmentationError` if the file is missing, broken or of an unknown family, or if a network
  /// with classes lacks a class to keep.
  func load(
    _ request: ModelRequest, isCancelled: () -> Bool
  ) throws(SegmentationError) -> any SegmentationModel
}

extension SegmentationModelLoader {
  /// Loads and recognises a model without a way to cancel.
  public func load(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    try load(request, isCancelled: { false })
  }
}

/// The names of the classes to keep in a picture, by default `person`.
public struct Subjects: Equatable, Sendable {
  /// The unique names in lower case, in the order of the list, never empty.
  public let names: [String]

  /// Parses a comma-separated list, which means `person` if it is empty.
  public init(_ list: String = "") {
    var names: [String] = []
    var known: Set<String> = []
    for part in list.split(separator: ",") {
      let name = Self.normal(part)
      if !name.isEmpty, known.insert(name).inserted { names.append(name) }
    }
    self.names = names.isEmpty ? ["person"] : names
  }

  /// Whether only people are kept, as networks without classes do.
  public var isPerson: Bool { names == ["person"] }

  /// Returns a name in lower case without surrounding whitespace, for comparisons.
  public static func normal(_ name: some StringProtocol) -> String {
    let characters = name.lowercased().drop { $0.isWhitespace }
    guard let last = characters.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(characters[...last])
  }
}
