import Glibc

/// Which file it is, and in which state: two that are equal hold the same bytes.
///
/// The time of the last change of any kind is part of it: unlike the time of the last writing it
/// cannot be set back.
struct FileIdentity: Hashable, Sendable {
  private var device: UInt
  private var inode: UInt
  /// When the bytes, and when anything about the file were changed last, in nanoseconds.
  private var written: Int, changed: Int
  let size: Int

  /// Of what `stat` told about a file.
  init(_ information: stat) {
    func nanoseconds(_ time: timespec) -> Int { time.tv_sec &* 1_000_000_000 &+ time.tv_nsec }
    device = UInt(information.st_dev)
    inode = UInt(information.st_ino)
    written = nanoseconds(information.st_mtim)
    changed = nanoseconds(information.st_ctim)
    size = Int(information.st_size)
  }

  /// Of the file at a path; nil when there is none.
  init?(path: String) {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return nil }
    self.init(information)
  }
}

/// The state of all files of a model.
struct ModelIdentity: Hashable, Sendable {
  private let main: FileIdentity
  private let weights: [FileIdentity?]
  /// The file that describes it, and its state.
  private let info: FileIdentity?
  /// Where that is; nil when nothing describes the model.
  let infoPath: String?

  /// Of the model at a path, with weights beside it; nil when there is none.
  init?(path: String, weightsPaths: [String]) {
    guard let main = FileIdentity(path: path) else { return nil }
    self.main = main
    weights = weightsPaths.map(FileIdentity.init(path:))
    infoPath = ModelInfo.path(beside: path)
    info = infoPath.flatMap(FileIdentity.init(path:))
  }

  /// The total size of all files in bytes, at most `Int.max`.
  var size: Int {
    weights.reduce(main.size) { sum, file in
      let (sum, overflows) = sum.addingReportingOverflow(file?.size ?? 0)
      return overflows ? .max : sum
    }
  }
}

/// What two users have in common when one compiled network serves both.
struct CompiledNetworkKey: Hashable {
  var identity: ModelIdentity
  var device: String
  var parallelism: Parallelism
  /// The precision set in the environment, or nil for the device's default.
  var precision: String?
  /// How the network was changed before it was compiled; empty for a network as it was read.
  var variant = ""
  var cacheFolder: String?
}
