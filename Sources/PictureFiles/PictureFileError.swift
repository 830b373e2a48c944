/// Why a file cannot be read as a picture.
public struct PictureFileError: Error, Equatable, CustomStringConvertible {
  /// What is the matter, for those who decide by it; `reason` tells the user.
  public enum Kind: Equatable, Sendable {
    /// There is no such file.
    case notFound
    /// A directory, a pipe, a socket or a device.
    case notAFile
    /// The file is there but cannot be read.
    case unreadable
    /// The file has no bytes.
    case empty
  }

  /// What is the matter.
  public let kind: Kind
  /// The path that was given.
  public let path: String
  /// What is wrong and what to do, as the end of a sentence that begins with the path.
  public let reason: String

  /// A sentence for the user: the file, what is wrong with it and the remedy.
  public var description: String { "'\(path)' \(reason)" }
}
