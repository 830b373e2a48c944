import PixelTypes

/// The memory limits of a video, for frames of one format.
///
/// Plates have the size of the frames. Decoded pictures have the size of the video.
struct VideoBudget {
  /// The limit for plates and pictures together, in bytes, except for the few that are required.
  static let maxBytes = 256 << 20
  /// The time of this number of pictures hides the jump to the start.
  private static let maxPlatesAhead = 4
  /// The plates besides those that wait: the current and the previous one, one that the light of
  /// the background was taken from, and one that is being painted.
  private static let othersInUse = 4

  /// The maximum number of plates that wait.
  let platesAhead: Int
  /// The limit for decoded pictures, in bytes.
  let pictureBytes: Int

  /// Divides `maxBytes` for frames of a format.
  init(_ format: FrameFormat, maxBytes: Int = VideoBudget.maxBytes) {
    let forPlates = maxBytes / 2 / format.byteCount - Self.othersInUse
    platesAhead = min(max(forPlates, 1), Self.maxPlatesAhead)
    pictureBytes = max(maxBytes - (platesAhead + Self.othersInUse) * format.byteCount, 0)
  }

  /// The maximum number of plates in use.
  var plates: Int { platesAhead + Self.othersInUse }
}
