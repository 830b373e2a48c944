import GstBackground

/// Why a file cannot be read as an image.
struct ImageError: Error, CustomStringConvertible {
  /// A sentence for the user: the file, what is wrong with it and the remedy.
  let description: String

  init(_ error: BackgroundError) {
    description = "'\(error.location)' \(error.reason)"
  }
}
