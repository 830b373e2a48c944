import Glibc

/// The identity and state of a file: if two values are equal, the files contain the same bytes.
///
/// It includes the inode change time. Unlike the time of the last write, a program cannot set it
/// back.
struct FileIdentity: Hashable, Sendable {
  private var device: UInt
  private var inode: UInt
  /// The time of the last write and the inode change time, in nanoseconds.
  private var written: Int, changed: Int
  let size: Int

  /// Creates the identity of the file at a path, or nil if it does not exist.
  init?(path: String) {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return nil }
    func nanoseconds(_ time: timespec) -> Int { time.tv_sec &* 1_000_000_000 &+ time.tv_nsec }
    device = UInt(information.st_dev)
    inode = UInt(information.st_ino)
    written = nanoseconds(information.st_mtim)
    changed = nanoseconds(information.st_ctim)
    size = Int(information.st_size)
  }
}

/// The state of all files of a model.
struct ModelIdentity: Hashable, Sendable {
  /// The model, its weight files and its description, if they exist.
  private let files: [FileIdentity?]
  /// The total size of the model and its weight files in bytes, at most `Int.max`.
  let size: Int
  /// The path of the description file, or nil if it does not exist.
  let infoPath: String?

  /// Creates the identity of a model and its weight files, or nil if the model does not exist.
  init?(path: String, weightsPaths: [String]) {
    let model = ([path] + weightsPaths).map(FileIdentity.init(path:))
    if model[0] == nil { return nil }
    infoPath = ModelInfo.path(beside: path)
    files = model + [infoPath.flatMap(FileIdentity.init(path:))]
    size = model.reduce(0) { sum, file in
      let (sum, overflows) = sum.addingReportingOverflow(file?.size ?? 0)
      return overflows ? .max : sum
    }
  }
}

/// The properties that must be equal for two users to share one compiled network.
struct CompiledNetworkKey: Hashable {
  var identity: ModelIdentity
  var device: String
  var parallelism: Parallelism
  /// The precision set in the environment, or nil for the device's default.
  var precision: String?
  /// The name of the changes before compilation, or empty for an unmodified network.
  var variant = ""
  var cacheFolder: String?
}
