import GstBackground

/// The reason why a file cannot be read as an image.
struct ImageError: Error, CustomStringConvertible {
  /// A sentence for the user: the file, the problem and the remedy.
  let description: String

  init(_ error: BackgroundError) {
    description = "'\(error.location)' \(error.reason)"
  }
}
