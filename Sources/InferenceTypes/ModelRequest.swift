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
