/// What to load, and where to run it.
public struct ModelRequest: Equatable, Sendable {
  /// The model's file.
  public var path: String
  /// Lines of the network's input, for networks that take any size; others ignore it.
  public var lines: Int
  /// OpenVINO's name of the device, `CPU` for example.
  public var device: String
  /// Threads of an inference; 0 leaves the choice to the device.
  public var threads: Int
  /// What is kept, by its names, for networks that know classes; others ignore it.
  public var subjects: Subjects

  /// Makes a request.
  public init(
    path: String, lines: Int, device: String, threads: Int, subjects: Subjects = Subjects()
  ) {
    self.subjects = subjects
    self.path = path
    self.lines = lines
    self.device = device
    self.threads = threads
  }
}

/// A network that was read from its file and recognised, not yet made ready for a frame size.
///
/// May be made on one thread and used on another, by one thread at a time.
public protocol SegmentationModel: AnyObject, Sendable {
  /// The file that it was read from.
  var path: String { get }

  /// What it can tell apart and may be asked to keep; empty for a network that knows one subject
  /// only, whatever it is asked for.
  var subjects: [String] { get }

  /// Makes the network ready for frames of a size: takes from tens of milliseconds to a second.
  ///
  /// Throws `SegmentationError` when the device cannot run the network.
  func makeSegmenter(
    frameWidth: Int, frameHeight: Int
  ) throws(SegmentationError) -> any Segmenter

  /// Does ahead of time what the next `makeSegmenter` begins with, if its frames have the same
  /// proportions or the network does not care; what goes wrong is left to that to report.
  func prepare(frameWidth: Int, frameHeight: Int)
}

/// Reads models.
///
/// The element uses OpenVINO's; tests use one of their own.
public protocol SegmentationModelLoader: Sendable {
  /// Reads and recognises a model.
  ///
  /// `isCancelled` is called repeatedly and stops the loading when it returns true. Throws
  /// `SegmentationError` if the file is missing, broken or of an unknown family, or if a network
  /// with classes lacks a class to keep.
  func load(
    _ request: ModelRequest, isCancelled: () -> Bool
  ) throws(SegmentationError) -> any SegmentationModel
}

extension SegmentationModelLoader {
  /// Reads and recognises a model, and cannot be cancelled.
  public func load(_ request: ModelRequest) throws(SegmentationError) -> any SegmentationModel {
    try load(request, isCancelled: { false })
  }
}
